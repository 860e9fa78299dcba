/** The faults of a request: those of its `Prefer` header, else of the fault rules, plus those of text directives. */
import { sentence } from '#contract/input/checked.ts'
import { type Failure, fail } from '../core/failure.ts'
import { appliesTo, type Instruction, instructionsText, problemOn } from '../faults/instruction.ts'
import { directivesIn, mayHaveDirective, problemInText } from '../faults/text-directives.ts'
import type { AuthenticatedContext } from './service.ts'

/** Instructions and their origin. */
export interface RequestedFaults {
  readonly instructions: readonly Instruction[]
  readonly reason: string
}

/** Returns the faults of the `Prefer` header or, if there are none, of the fault rules. */
export function faultsOf(context: AuthenticatedContext): RequestedFaults | Failure | undefined {
  const { service, operation, principal, preference } = context
  if (preference) {
    const instructions = preference.faults.map(({ instruction }) => instruction)
    const [problem] = [
      preference.problem ?? [],
      instructions.flatMap((one) => problemOn(operation, one) ?? []),
    ].flat()
    if (problem) return refuse(context, 'prefer', sentence(`In Prefer, the mock ${problem}`))
    if (instructions.length > 0)
      return { instructions, reason: `prefer; fault=${instructionsText(instructions)}` }
  }
  const fired = service.faults.match(operation, principal.org.id)
  return fired && { instructions: [fired.instruction], reason: fired.reason }
}

/** Returns the faults that text directives in the request, or in the text of the task to run, ask for. */
export function faultsInText(
  context: AuthenticatedContext,
  body: object | undefined,
): RequestedFaults | Failure | undefined {
  const { operation, request, principal } = context
  for (const text of Object.values(body ?? {})) {
    const problem =
      typeof text === 'string' && mayHaveDirective(text) ? problemInText(operation, text) : undefined
    if (problem) return refuse(context, 'magic', sentence(`In this text, the mock ${problem}`))
  }
  const texts =
    operation === 'runTask'
      ? [principal.org.tasks.get(request.param('id') ?? '')?.text]
      : Object.values(body ?? {})
  const about = operation === 'runTask' ? 'run' : operation === 'createTask' ? 'creation' : 'request'
  const instructions = texts
    .flatMap((text) => (typeof text === 'string' && mayHaveDirective(text) ? directivesIn(text, about) : []))
    .filter((one) => appliesTo(operation, one))
  return instructions.length > 0
    ? { instructions, reason: `magic; fault=${instructionsText(instructions)}` }
    : undefined
}

/** Rejects a request that asks for a fault which does not exist or does not fit: ignoring it would let a test of an error pass on a success. */
function refuse(context: AuthenticatedContext, source: string, message: string): Failure {
  context.effects = { reason: `${source}; not understood`, rejected: true }
  return fail('unreadable', message)
}
