/** Which preferences of a request took effect: the others are not claimed in `Preference-Applied` (RFC 7240 §3). */
import type { Failure } from '../core/failure.ts'
import type { Instruction } from '../faults/instruction.ts'
import type { Preference } from '../faults/prefer.ts'
import type { RequestContext } from './service.ts'

/** Returns the preferences that took effect, as they were written. */
export function appliedPreferences(
  context: RequestContext,
  { variantText, faults }: Preference,
  failure: Failure | undefined,
): string[] {
  return [
    ...(variantText !== undefined && !context.effects?.badGateway ? [variantText] : []),
    ...faults.filter(({ instruction }) => tookEffect(context, instruction, failure)).map(({ text }) => text),
  ]
}

/** Whether a fault changed the answer or what it is about. */
export function tookEffect(context: RequestContext, one: Instruction, failure: Failure | undefined): boolean {
  if (!context.followed.has(one)) return false
  switch (one.kind) {
    case 'error':
      return one.code !== 'busy' || failure?.name === 'busy'
    case 'fail':
    case 'slow':
      return !failure || changedBy(context, failure)
    case 'other_variant':
      return !context.effects?.badGateway
    default:
      return true
  }
}

/** Whether a run was accepted although it is refused as `busy`, or a generation has failed. */
function changedBy({ operation, decidedBy }: RequestContext, { name }: Failure): boolean {
  return operation === 'runTask' ? name === 'busy' : name === 'unavailable' && decidedBy === 'state'
}
