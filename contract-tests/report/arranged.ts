/** The provider states during an exchange of a report, and the shared fixtures that a run used. Pure functions. */

import type { OperationId } from '#contract/operation.ts'
import type { ProviderState } from '#contract/provider-state.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { paidOperations } from '../harness/operations.ts'
import type { UsedFixtureNames } from '../harness/run-state.ts'
import { isSuccess, type ModelEvent, type ProviderStateEvent, type RequestEvent } from '../model/event.ts'
import type { ReportedProviderState } from './exchange.ts'

/**
 * By provider state: the operations that show it, and those that end it, as a run ends what was set up for the next
 * run.
 */
const shownBy: Readonly<
  Record<
    ProviderState,
    { readonly operations: 'all' | readonly OperationId[]; readonly until?: readonly OperationId[] }
  >
> = {
  rate_limit: { operations: 'all' },
  unavailable: { operations: 'all' },
  credits: { operations: [...paidOperations, 'whoami'], until: paidOperations },
  agent_idle: { operations: ['runTask'], until: ['runTask'] },
  agent_busy: { operations: ['runTask'] },
  next_run_fails: { operations: ['runTask', 'getTask'] },
  next_creative_fails: { operations: ['generateCreative'] },
  unread_notification: { operations: ['listNotifications'], until: ['readNotification'] },
  answer_lost: { operations: paidOperations, until: paidOperations },
}

const isKnown = (state: string): state is ProviderState => Object.hasOwn(shownBy, state)

/** The provider states that were in force when a request was sent and that can influence its operation. */
export function providerStatesInForce(
  { number }: Pick<Exchange, 'number'>,
  history: readonly ModelEvent[],
): ReportedProviderState[] {
  const request = history.find((event) => event.kind === 'request' && event.id === number)
  if (request?.kind !== 'request') return []
  const earlier = history.filter(
    (event) => event.tenant === request.tenant && event.sent.seq < request.sent.seq,
  )
  const latest = new Map<string, ProviderStateEvent>()
  for (const event of earlier) if (event.kind === 'arranged') latest.set(event.state, event)
  return [...latest.values()]
    .filter((event) => event.action === 'setup' && isShown(event, request, earlier))
    .map(({ state, params: { org_id: _, ...params }, received }) => {
      return { state, params, before_ms: Math.max(0, Math.round(request.sent.ms - received.ms)) }
    })
}

/** True if a request shows a state that was set up before it. */
function isShown(
  { state, params, received }: ProviderStateEvent,
  { operation, sent, answer }: RequestEvent,
  earlier: readonly ModelEvent[],
): boolean {
  if (!isKnown(state)) return false
  const { operations, until = [] } = shownBy[state]
  if (operations !== 'all' && !operations.includes(operation)) return false
  // The state fails one generation, which was another one.
  if (state === 'next_creative_fails' && answer && isSuccess(answer)) return false
  const lasts = typeof params.duration_ms === 'number' ? params.duration_ms : Infinity
  if (sent.ms > received.ms + lasts) return false
  return !earlier.some(
    (event) => event.kind === 'request' && until.includes(event.operation) && event.sent.seq > received.seq,
  )
}

/** Shared evidence that changes or spends something, or takes long, by its name. */
const words: Readonly<Record<string, string>> = {
  run: 'a run',
  'lost run': 'a run whose answer is lost',
  'failed run': 'a failing run',
  'second run': 'a second run of a task',
  'second failure': 'a second failing run',
  'consecutive runs': 'runs of two tasks',
  busy: 'runs that wait',
  'no credits': 'requests at zero balance',
  'runs with one credit': 'simultaneous runs with one credit',
  creative: 'a generation',
  'failed creative': 'a failing generation',
  'one limit': 'requests beyond a limit',
  'short limit': 'requests below a limit',
  outage: 'requests during an outage',
  key: 'a created key',
  'deleted keys': 'deleted keys',
  'fellow keys': 'keys created and deleted side by side',
  'arrived notifications': 'three notifications',
  'newest task': 'many tasks',
  'newest document': 'many documents',
  'other session': 'a key of the second organization',
}

/**
 * What the shared fixtures that checks used were, in the words of a report, such as `a run` or `valid requests of
 * whoami, getTask`.
 */
export function sharedFixtureTexts(evidence: UsedFixtureNames): string[] {
  const operations = [...(evidence.get('positive control') ?? [])]
  const known = [...evidence.keys()].flatMap((name) => words[name] ?? [])
  return [...known, ...(operations.length > 0 ? [`valid requests of ${operations.join(', ')}`] : [])]
}
