/** Proves before a run that the states endpoint works, and that its states take effect. */
import type { ProviderState } from '#contract/provider-state.ts'
import { hasSuccessStatus, valueAtPath } from '#traffic/exchange.ts'
import { requestFailureReason } from '../client/answer.ts'
import { bearerHeader } from '../harness/context.ts'
import { poll } from '../harness/deadlines.ts'
import type { Need } from '../harness/terms.ts'
import {
  describeMissingAnswer,
  describePreflightAnswer,
  getBelowApi,
  type PreflightTarget,
  UnusableInputError,
} from './preflight-inputs.ts'
import type { PreflightAnswer } from './preflight-requests.ts'

/** Every state with valid parameters; tearing one down that is not set up does no harm. */
const params: Readonly<Record<ProviderState, object>> = {
  agent_idle: {},
  credits: { credits: 1 },
  agent_busy: { duration_ms: 1 },
  next_run_fails: {},
  next_creative_fails: {},
  unavailable: {},
  rate_limit: { limit: 600, window_s: 60 },
  unread_notification: {},
  answer_lost: { operation: 'runTask' },
}

/** Credits by which the balance is moved, and moved back, to see whether the states take effect. */
const step = 3

/**
 * The longest wait for an effect, as a multiple of the time allowed for it: checks judge one that a cache hides for a
 * while.
 */
const longerThanAllowed = 5

/** The states endpoint, tried on one organization. */
interface TriedStates extends PreflightTarget {
  readonly org: string
}

/**
 * Tests before a run that the endpoint for provider states works and that its states take effect. `needs`: those of the
 * selected requirements. @throws UnusableInput otherwise.
 */
export async function proveProviderStates(tried: TriedStates, needs: ReadonlySet<Need>): Promise<void> {
  await proveProtocol(tried)
  if (needs.has('state:unavailable')) await proveEndOfOutage(tried)
  if (!(await proveEffect(tried, 'credits', '/whoami', 'credits')))
    await proveEffect(tried, 'unread_notification', '/notifications', 'unread')
}

/** Proves that a state that does not exist is answered 404, and some state that does is not. */
async function proveProtocol(tried: TriedStates): Promise<void> {
  const unknown = await send(tried, 'no_such_state', {}, 'setup')
  if (hasSuccessStatus(unknown))
    throw unusable(`it answers ${describePreflightAnswer(unknown)} to a state that does not exist, not 404`)
  if (unknown.status !== 404 && unknown.status !== 400)
    throw unusable(`it answers ${describePreflightAnswer(unknown)}`)
  let refused: string | undefined
  for (const [state, given] of Object.entries(params)) {
    const received = await send(tried, state, given, 'teardown')
    if (hasSuccessStatus(received)) return
    if (received.status !== 404)
      refused ??= `it answers ${describePreflightAnswer(received)} to the state "${state}"`
  }
  const none = `it offers none of the ${Object.keys(params).length} states: it answers ${describePreflightAnswer(unknown)}`
  throw unusable(refused ?? none)
}

/** True if a state moved a number that a client can read; false: not offered, or nothing to read. */
async function proveEffect(
  tried: TriedStates,
  state: ProviderState,
  path: string,
  name: string,
): Promise<boolean> {
  const { target, settings } = tried
  const before = await read(tried, path, name)
  if (before === undefined) return false
  const change = state === 'credits' ? { credits: before + step } : {}
  const set = await send(tried, state, change, 'setup')
  if (set.status === 404) return false
  try {
    if (!hasSuccessStatus(set))
      throw unusable(`it answers ${describePreflightAnswer(set)} to the state "${state}"`)
    const hasMoved = async () => (await read(tried, path, name)) !== before || undefined
    if (await poll(target, longerThanAllowed * settings.consistency, hasMoved)) return true
    throw unusable(
      `the state "${state}" answered ${set.status} and changed nothing: ${name} is still ${before} in GET ${path}, unless it is answered from a cache`,
    )
  } finally {
    if (state === 'credits') await send(tried, state, { credits: before }, 'setup')
  }
}

/** Proves that an outage ends when it is torn down: otherwise all that follows would be refused. */
async function proveEndOfOutage(tried: TriedStates): Promise<void> {
  const { target, settings } = tried
  const set = await send(tried, 'unavailable', {}, 'setup')
  const torn = await send(tried, 'unavailable', {}, 'teardown')
  if (!hasSuccessStatus(set)) return
  const isOver = async () =>
    (await getBelowApi(tried, '/whoami', bearerHeader(settings.apiKey))).status !== 503 || undefined
  if (await poll(target, settings.consistency, isOver)) return
  throw unusable(
    `the teardown of the state "unavailable" answered ${torn.status} and changed nothing: whoami still answers 503`,
  )
}

async function read(tried: PreflightTarget, path: string, name: string): Promise<number | undefined> {
  const value = valueAtPath((await getBelowApi(tried, path, bearerHeader(tried.settings.apiKey))).json, name)
  return typeof value === 'number' ? value : undefined
}

function send(
  { ask, org, settings: { statesUrl: url = '' } }: TriedStates,
  state: string,
  given: object,
  action: 'setup' | 'teardown',
): Promise<PreflightAnswer> {
  const body = { state, params: { org_id: org, ...given }, action }
  return ask(url, { method: 'POST', body }).catch((error) => {
    throw unusable(describeMissingAnswer(url, requestFailureReason(error)))
  })
}

const unusable = (what: string) => new UnusableInputError('statesUrl', what)
