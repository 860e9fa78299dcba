/** The faults of one request: which it gets, applying them, and which preferences took effect. */
import { endWithFullStop } from '#contract/input/checked.ts'
import { createFailure, Failure } from '../core/failure.ts'
import { directiveProblemIn, faultsInDirectives, mayHaveDirective } from '../faults/directives.ts'
import { type Fault, type FaultEffects, faultCanAffect, faultRowOf, faultText } from '../faults/fault.ts'
import { faultOperationProblem } from '../faults/grammar.ts'
import type { AuthenticatedContext, Decision, RequestContext } from './service.ts'

/** The faults that a request is to get, and where they were requested. */
export type RequestedFaults = Exclude<ReturnType<typeof requestedFaultsOf>, Failure | undefined>

/** The fault of a lost answer: the request takes effect, and the connection is closed without an answer. */
const lostAnswer: Extract<Fault, { kind: 'wire' }> = { kind: 'wire', wire: 'empty', lost: true, ms: 0 }

/**
 * Drops the answer to a request if the provider state `answer_lost` asks for that: it is marked as lost in the effects.
 */
export function markAnswerLostByState(context: AuthenticatedContext, decision: Decision): void {
  const { operation, principal } = context
  const isRefused = decision instanceof Failure && decision.name !== 'busy'
  if (principal.org.overrides.answer_lost !== operation || isRefused) return
  principal.org.override({ answer_lost: null })
  context.effects ??= { reason: `state=answer_lost; fault=${faultText(lostAnswer)}` }
  context.effects.wire = lostAnswer
}

/** The faults that the `Prefer` header of a request asks for or, without any, those of the fault rules. */
export function requestedFaultsOf(context: AuthenticatedContext) {
  const { service, operation, principal, preference } = context
  if (preference) {
    const faults = preference.faults.map(({ fault }) => fault)
    const problem =
      preference.problem ??
      faults.map((one) => faultOperationProblem(operation, one)).find((one) => one !== undefined)
    if (problem) return refuse(context, 'prefer', endWithFullStop(`In Prefer, the mock ${problem}`))
    if (faults.length > 0) return { faults, reason: `prefer; fault=${faults.map(faultText).join(', ')}` }
  }
  return service.faults.match(operation, principal.org.id, principal.org.changes)
}

/**
 * The faults that directives such as `[[mock:busy]]` ask for in the texts of a request, or in the text of the task to
 * run; undefined: there are none. Returns a failure if a directive cannot be followed.
 */
export function faultsRequestedInTexts(context: AuthenticatedContext, body: object | undefined) {
  const { operation, target, principal } = context
  const isDirected = (text: unknown): text is string => typeof text === 'string' && mayHaveDirective(text)
  const given = Object.values(body ?? {}).filter(isDirected)
  for (const text of given) {
    const problem = directiveProblemIn(operation, text)
    if (problem) return refuse(context, 'magic', endWithFullStop(`In this text, the mock ${problem}`))
  }
  const run = operation === 'runTask'
  const texts = run ? [principal.org.tasks.get(target)?.text].filter(isDirected) : given
  const about = run ? 'run' : operation === 'createTask' ? 'creation' : 'request'
  const faults = texts
    .flatMap((text) => faultsInDirectives(text, about))
    .filter((one) => faultCanAffect(operation, one))
  return faults.length > 0
    ? { faults, reason: `magic; fault=${faults.map(faultText).join(', ')}` }
    : undefined
}

/** Rejects a request that asks for a fault which does not exist or does not fit: ignoring it would let a test of an error pass on a success. */
function refuse(context: AuthenticatedContext, source: string, message: string): Failure {
  context.effects = { reason: `${source}; not understood`, rejected: true }
  return createFailure('unreadable', message)
}

/**
 * Applies faults, then calls `next` unless one of them decides the request. Returns the decision; changes to the
 * response are stored in `effects`.
 */
export async function applyFaults(
  context: AuthenticatedContext,
  faults: readonly Fault[],
  effects: FaultEffects,
  next: () => Decision | Promise<Decision>,
): Promise<Decision> {
  const { operation, request } = context
  const { org } = context.principal
  const faulted = {
    operation,
    org,
    effects,
    url: request.url,
    hold: (wait: Promise<unknown>) => request.hold(wait),
  }
  const inOrder = faults.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))
  for (const fault of inOrder) {
    const decision = await faultRowOf(fault)?.before?.(faulted, fault)
    context.followed ??= new Set()
    context.followed.add(fault)
    if (!decision) continue
    context.entry.decided_by = 'fault'
    context.entry.changes_from = context.entry.changes_to = org.changes.position
    return decision
  }
  return next()
}

/** True if nothing that comes after a fault could take effect. */
const isLast = (fault: Fault) => Boolean(faultRowOf(fault)?.isDecisive || faultRowOf(fault)?.isSilent)

/** True if a fault changed the answer or what it is about. */
function hadEffect(context: RequestContext, fault: Fault, failure: Failure | undefined): boolean {
  const { effects, followed, operation, entry } = context
  const after = faultRowOf(fault)?.after ?? (() => true)
  return followed?.has(fault) === true && after({ operation, effects, decided_by: entry.decided_by, failure })
}

/**
 * Names the requested faults that had no effect, and what was answered instead, for the explanation of an answer;
 * empty: all had one.
 */
export function ineffectiveFaultsText(
  context: RequestContext,
  failure: Failure | undefined,
  status: number,
  code: string | null,
): string {
  const idle = context.effects?.requested?.filter((one) => !hadEffect(context, one, failure)) ?? []
  if (idle.length === 0) return ''
  return `; without effect=${idle.map(faultText).join(', ')}; answer=${[status, code].filter(Boolean).join(' ')}`
}

/**
 * Lists the preferences of a `Prefer` header that took effect, as they were written, for `Preference-Applied` (RFC 7240
 * §3).
 */
export function appliedPreferences(
  context: RequestContext,
  failure: Failure | undefined,
  status: number,
): string[] {
  const { preference, effects } = context
  if (!preference) return []
  const { variantText, faults } = preference
  // `code=422` asks for an error that some operations, and one variant, answer with another status.
  const isTold = (wanted: number) => Number.isNaN(wanted) || wanted === status
  const applied = faults.filter((one) => hadEffect(context, one.fault, failure) && isTold(one.status))
  return [
    ...(variantText !== undefined && !effects?.gateway ? [variantText] : []),
    ...applied.map(({ text }) => text),
  ]
}
