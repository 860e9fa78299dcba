/** The faults of a request: those of its `Prefer` header, else of the fault rules, plus those of text directives. */
import { appliesTo, type Instruction, instructionsText } from '../faults/instruction.ts'
import { directivesIn, hasDirective } from '../faults/text-directives.ts'
import type { AuthenticatedContext } from './service.ts'

/** Instructions and their origin. */
export interface RequestedFaults {
  readonly instructions: readonly Instruction[]
  readonly reason: string
}

/** Returns the faults of the `Prefer` header or, if there are none, of the fault rules. */
export function faultsOf(context: AuthenticatedContext): RequestedFaults | undefined {
  const { service, operation, principal, preference, applied } = context
  const preferred = preference?.faults.filter(({ instruction }) => appliesTo(operation, instruction)) ?? []
  if (preferred.length > 0) {
    applied.push(...preferred.map(({ text }) => text))
    const instructions = preferred.map(({ instruction }) => instruction)
    return { instructions, reason: `prefer; fault=${instructionsText(instructions)}` }
  }
  const fired = service.faults.match(operation, principal.org.id)
  return fired && { instructions: [fired.instruction], reason: fired.reason }
}

/** Returns the faults that text directives in the request, or in the text of the task to run, ask for. */
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
    .flatMap((text) => (typeof text === 'string' && hasDirective(text) ? directivesIn(text, about) : []))
    .filter((one) => appliesTo(operation, one))
  return instructions.length > 0
    ? { instructions, reason: `magic; fault=${instructionsText(instructions)}` }
    : undefined
}
