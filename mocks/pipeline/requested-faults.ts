/** The faults that a request is to meet: those of its `Prefer` header, else of the rules; and those of its texts. */
import { concerns, type Instruction, said } from '../faults/instruction.ts'
import { isMagic, magicIn } from '../faults/magic.ts'
import type { AuthenticatedContext } from './service.ts'

/** Instructions, and where they come from. */
export interface RequestedFaults {
  readonly instructions: readonly Instruction[]
  readonly reason: string
}

/** The faults of the `Prefer` header; without any, those of the rules. */
export function faultsOf(context: AuthenticatedContext): RequestedFaults | undefined {
  const { service, operation, principal, preference, applied } = context
  const wishes = preference?.wishes.filter(({ instruction }) => concerns(operation, instruction)) ?? []
  if (wishes.length > 0) {
    applied.push(...wishes.map((wish) => wish.text))
    const instructions = wishes.map(({ instruction }) => instruction)
    return { instructions, reason: `prefer; fault=${said(instructions)}` }
  }
  const fired = service.faults.match(operation, principal.org.id)
  return fired && { instructions: [fired.instruction], reason: fired.reason }
}

/** The faults in the texts of the request, or in the text of the task that it runs. */
export function faultsInText(
  { operation, request, principal }: AuthenticatedContext,
  body: object | undefined,
): RequestedFaults | undefined {
  const texts =
    operation === 'runTask'
      ? [principal.org.tasks.get(request.param('id') ?? '')?.text]
      : Object.values(body ?? {})
  const about = operation === 'runTask' ? 'run' : operation === 'createTask' ? 'creation' : 'request'
  const instructions = texts
    .flatMap((text) => (typeof text === 'string' && isMagic(text) ? magicIn(text, about) : []))
    .filter((one) => concerns(operation, one))
  return instructions.length > 0 ? { instructions, reason: `magic; fault=${said(instructions)}` } : undefined
}
