/** The scenarios: situations that clients should handle, as options and the expected client behaviour; and options with those of a scenario beneath. */

import { suggestKnownWord } from '#contract/input/checked.ts'
import type { ClientRuleId } from '#traffic/client-rule-id.ts'
import {
  type MockOptionsInput,
  type MockSettings,
  type OptionPreset,
  type OptionProblem,
  parseMockOptions,
} from '../config/options.ts'
import { quirkSeedProblem } from '../quirks/create.ts'

/** A scenario of the mock: a named set of options and faults, and the client rules that it exercises. */
export interface Scenario<Id extends string = string> extends OptionPreset {
  readonly id: Id
  /** What happens in the scenario, and what a good client does. */
  readonly shows: string
  /** The rules of the client report that the scenario exercises. */
  readonly expects: readonly ClientRuleId[]
  /** True if a good client can finish its work; default: it can. */
  readonly canFinish?: boolean
  /** True if nothing goes wrong, so that the client's behaviour counts as its usual work. */
  readonly isPlain?: boolean
  /** The least number of times that `check` runs a client that finishes its work; default: 1. */
  readonly checkRuns?: number
  /** Environment variables that `check` sets for the client, unless they are set already. */
  readonly checkEnvironment?: Readonly<Record<string, string>>
  /**
   * Options that `check` adds, so that the situation of the scenario arises at once and passes soon, whatever the
   * client does first.
   */
  readonly checkOptions?: OptionPreset['options']
}

/** Options with which the answer to the first run request is lost, and that run is over before a repeat can come. */
const afterTheWork = (
  seed: string,
  fault: 'lost empty' | 'lost reset' | 'lost gateway_error' | 'lost 502' | 'lost 504' | 'cut_header',
) =>
  ({
    ...{ seed, past: 'none', credits: 12, runProgress: 'immediate', fault: `runTask=${fault};times=1` },
  }) as const satisfies OptionPreset['options']

const table = [
  {
    // §7.1
    id: 'out-of-credits',
    title: 'Credits run out',
    shows:
      'Two runs are accepted; the third and every later one return 402 no_credits. A good client stops and tells the user what to do; free routes continue to work.',
    options: { seed: 'out-of-credits', credits: 2 },
    expects: ['stops-at-402'],
    canFinish: false,
    checkOptions: { credits: 1 },
  },
  {
    id: 'top-up-and-recover',
    title: 'Topped up after 402',
    shows:
      'One run is accepted; the second returns 402 no_credits. 3 seconds later 5 credits are added, and runs are accepted again. A good client does not retry before whoami reports credits.',
    options: { seed: 'top-up-and-recover', credits: 1, topUp: '5/3s' },
    expects: ['stops-at-402'],
    canFinish: false,
  },
  {
    // §3.3
    id: 'busy-then-starts',
    title: 'Busy, then the run starts automatically',
    shows:
      'The agent is busy with other work for 4 seconds. A run request returns 409 busy, is accepted anyway and starts automatically. A good client polls the task and does not request the run again.',
    options: { seed: 'busy-then-starts', busy: 4 },
    expects: ['waits-when-busy', 'follows-runs', 'stops-polling'],
    checkOptions: { busy: 0, fault: 'runTask=busy;times=1' },
  },
  {
    // §3.3, §7
    id: 'two-conflicts',
    title: 'Two kinds of 409',
    shows:
      'The first run returns 409 busy: it is accepted and starts automatically. The second returns 409 invalid_request: it is rejected and never starts. Later runs succeed. A good client reads error, not only the status.',
    options: { seed: 'two-conflicts', fault: 'runTask=busy,invalid_request' },
    expects: ['branches-on-error', 'waits-when-busy'],
    canFinish: false,
  },
  {
    // §3.2
    id: 'run-fails-and-refunds',
    title: 'The first run fails and is refunded',
    shows:
      'The first run fails: its task is finished, its credit is refunded, and a notification reports it. Every later run completes. A good client distinguishes failure from success and may run the task again.',
    options: { seed: 'run-fails-and-refunds', credits: 3, fault: 'runTask=fail,ok' },
    expects: ['follows-runs', 'stops-polling'],
  },
  {
    id: 'slow-run',
    title: 'A slow run',
    shows: 'A run takes 15 seconds. A good client polls at a moderate rate and stops when finished is true.',
    options: { seed: 'slow-run', runDuration: '15s' },
    expects: ['polls-sanely', 'polls-task-by-id', 'stops-polling'],
    checkOptions: { runDuration: '8s' },
  },
  {
    id: 'lost-answer',
    title: 'The response to a run request is lost',
    shows:
      'The first run is accepted and its credit reserved; then the connection breaks before the response. A good client checks the task before it retries: a blind retry may pay twice.',
    options: { seed: 'lost-answer', credits: 3, fault: 'runTask=lost;times=1' },
    expects: ['no-blind-repeat'],
  },
  {
    // §3.2
    id: 'lost-answer-run-over',
    title: 'The response is lost, and the run is over',
    shows:
      'The connection closes before the response to the first run request, and the run ends at once, so that a second request is accepted and paid as well. A good client checks the task before it retries: it is finished.',
    options: afterTheWork('lost-answer-run-over', 'lost empty'),
    expects: ['pays-once', 'no-blind-repeat'],
  },
  {
    // §3.2
    id: 'lost-answer-reused',
    title: 'The response is lost on a reused connection',
    shows:
      'The connection on which the task was created is reset before the response to its first run, which is over at once. HTTP libraries may take it for one that ended unused, and send the request again by themselves. A good client checks the task before it retries.',
    options: afterTheWork('lost-answer-reused', 'lost reset'),
    expects: ['pays-once', 'no-blind-repeat'],
  },
  {
    // §3.2, §7
    id: 'gateway-500',
    title: '500 from a gateway, after the work was done',
    shows:
      'The first run is accepted and over at once; a gateway answers 500, which is not JSON. A good client checks the task before it retries.',
    options: afterTheWork('gateway-500', 'lost gateway_error'),
    expects: ['pays-once', 'no-blind-repeat'],
  },
  {
    // §3.2, §7
    id: 'gateway-502',
    title: '502 from a gateway, after the work was done',
    shows:
      'The first run is accepted and over at once; a gateway answers 502, which is not JSON. A good client checks the task before it retries.',
    options: afterTheWork('gateway-502', 'lost 502'),
    expects: ['pays-once', 'no-blind-repeat'],
  },
  {
    // §3.2, §7
    id: 'gateway-504',
    title: '504 from a gateway, after the work was done',
    shows:
      'The first run is accepted and over at once; a gateway answers 504, which is not JSON. A good client checks the task before it retries.',
    options: afterTheWork('gateway-504', 'lost 504'),
    expects: ['pays-once', 'no-blind-repeat'],
  },
  {
    // §3.2, §7
    id: 'cut-header',
    title: 'The response breaks in its headers',
    shows:
      'The first run is accepted and over at once; the connection closes in the middle of the headers of the response. A good client checks the task before it retries.',
    options: afterTheWork('cut-header', 'cut_header'),
    expects: ['pays-once', 'no-blind-repeat'],
  },
  {
    // §8.1
    id: 'rate-limited-burst',
    title: 'Rate limited, Retry-After in seconds',
    shows:
      'Four requests per window of 3 seconds succeed; further ones return 429 rate_limited. A good client waits for the seconds in Retry-After before it retries.',
    options: { seed: 'rate-limited-burst', rateLimit: '4/3s' },
    expects: ['waits-retry-after', 'goes-on-after-429'],
    checkOptions: { rateLimit: '2/3s' },
  },
  {
    // §8.1
    id: 'rate-limited-burst-date',
    title: 'Rate limited, Retry-After as a date',
    shows:
      'Four requests per window of 3 seconds succeed; further ones return 429 rate_limited. Retry-After is an HTTP date (RFC 9110 §10.2.3). A good client waits until that date before it retries.',
    options: { seed: 'rate-limited-burst-date', rateLimit: '4/3s', retryAfter: 'date' },
    // A date that is read as local time is right by chance where the zone is UTC; east of it, it is hours ago.
    checkEnvironment: { TZ: 'Asia/Tokyo' },
    expects: ['waits-retry-after-date', 'goes-on-after-429'],
    checkOptions: { rateLimit: '2/3s' },
  },
  {
    // §7.3
    id: 'temporary-outage',
    title: 'A short outage',
    shows:
      'Two requests succeed, the next three return 503 unavailable, and later ones succeed. A good client retries after a short pause.',
    options: { seed: 'temporary-outage', fault: 'unavailable;after=2;times=3' },
    expects: ['retries-503', 'pauses-after-503'],
    checkOptions: { fault: 'unavailable;after=1;times=3' },
  },
  {
    // §5.3
    id: 'deleted-key',
    title: 'The key is deleted while it is in use',
    shows:
      'Three requests succeed; then the key is deleted and every request returns 401 unauthorized. A good client stops and asks for a new key.',
    options: { seed: 'deleted-key', fault: 'unauthorized;after=3' },
    expects: ['stops-at-401'],
    canFinish: false,
    checkOptions: { fault: 'unauthorized;after=1' },
  },
  {
    // §4 Tasks, §7
    id: 'second-variant',
    title: 'The second variant',
    shows:
      'Task lists, created tasks and runs have the shapes of the second variant, and invalid input returns 422. A good client reads the fields it needs if they are present and works without the others.',
    options: { seed: 'second-variant', variant: 'second' },
    expects: ['tolerates-variants'],
  },
  {
    // §4 Tasks
    id: 'mixed-variants',
    title: 'Both variants at once',
    shows:
      'The task list and task creation follow the second variant, and runs have the fields of both. A good client tolerates either shape on every route.',
    options: { seed: 'mixed-variants' },
    variants: { listTasks: 'second', createTask: 'second', runTask: 'both' },
    expects: ['tolerates-variants'],
  },
  {
    // §1, §4
    id: 'no-extended-routes',
    title: 'No extended routes',
    shows:
      'Leads, creatives, landing pages, meta, wallet and billing return 404 not_found. A good client continues without them.',
    options: { seed: 'no-extended-routes', extended: false },
    expects: ['no-refused-repeat'],
  },
  {
    id: 'empty-organization',
    title: 'An empty organization',
    shows:
      'The organization has credits and nothing else: every list is empty and nothing is unread. A good client shows this and does not fail.',
    options: { seed: 'empty-organization', past: 'none' },
    expects: [],
    isPlain: true,
  },
  {
    id: 'five-thousand-tasks',
    title: 'Five thousand tasks',
    shows:
      'The task list returns 5,000 items in one response, and there are as many notifications. A good client shows what is relevant and gets a single task by its id.',
    options: { seed: 'five-thousand-tasks', past: 5_000 },
    expects: ['polls-task-by-id'],
  },
  {
    // §4
    id: 'late-lists',
    title: 'Lists are late',
    shows:
      'A list shows what is new a second after its creation; by its id it is there at once. A good client keeps the id, and does not create again what a list lacks.',
    options: { seed: 'late-lists', past: 'none', credits: 5, strictClient: 'lists-late' },
    expects: ['trusts-creations'],
  },
  {
    // §4
    id: 'unordered-lists',
    title: 'Lists without an order',
    shows:
      'Each list comes in another order. A good client runs the task that it has created by the id in the answer, and finds others by what they are.',
    options: { seed: 'unordered-lists', strictClient: 'lists-shuffled' },
    expects: ['runs-own-tasks'],
  },
  {
    // §7
    id: 'rejected-task',
    title: 'New tasks are rejected',
    shows:
      'Every request to create a task returns invalid_request. A good client reports the error and does not send the same request again.',
    options: { seed: 'rejected-task', fault: 'createTask=invalid_request' },
    expects: ['no-refused-repeat'],
    canFinish: false,
  },
  {
    // §2
    id: 'odd-ids',
    title: 'Ids with slashes, spaces and quotes',
    shows:
      'Ids contain characters that have a meaning in URLs, such as /, ? and %. A good client percent-encodes an id that it puts into a path.',
    options: { seed: 'odd-ids', strictClient: 'ids-odd' },
    expects: ['encodes-ids'],
  },
  {
    // §3.1
    id: 'unknown-statuses',
    title: 'Statuses that no client knows',
    shows:
      'Every status is a made-up word, also those of tasks that are finished. The first run completes, the second fails, later ones complete. A good client reads finished and nothing else.',
    options: { seed: 'unknown-statuses', strictClient: 'status-made-up', fault: 'runTask=ok,fail' },
    expects: ['reads-finished', 'stops-polling'],
    checkRuns: 2,
  },
  {
    // §3.1
    id: 'cacheable-polls',
    title: 'Polls that a cache may keep',
    shows:
      'What is read has a Last-Modified, long ago, and no Cache-Control, so that a cache in the client may answer for the service. A good client asks the service each time.',
    options: { seed: 'cacheable-polls', past: 'none', strictClient: 'last-modified' },
    expects: ['polls-the-service'],
  },
  {
    id: 'strict-client',
    title: 'Legal but unusual responses',
    shows:
      'Statuses, ids, shapes, orders, headers and run times vary in every way that the specification allows. A good client works anyway.',
    options: { seed: 'strict-client', strictClient: 'strict-client' },
    expects: ['tolerates-extras', 'reads-finished'],
  },
] as const satisfies readonly Scenario[]

/** The id of a scenario of the mock. */
export type ScenarioId = (typeof table)[number]['id']

/** Every scenario of the mock. */
export const scenarios: readonly Scenario<ScenarioId>[] = table

/** The scenario with an id; undefined if there is none. */
export function findScenario(id: string): Scenario<ScenarioId> | undefined {
  return scenarios.find((one) => one.id === id)
}

/** The options of `createMock`, in which `scenario` takes the id of a scenario. */
export type MockOptions = MockOptionsInput<ScenarioId>

/**
 * Parses the options of a mock, merged over those of the scenario that they name, or returns the problems with them.
 */
export function parseOptionsWithScenario(options: MockOptionsInput): MockSettings | OptionProblem[] {
  const chosen = options.scenario === undefined ? undefined : findScenario(options.scenario)
  const read = parseMockOptions(options, chosen)
  const problems = Array.isArray(read) ? read : []
  const seed = Array.isArray(read) ? undefined : read.strictClient
  if (typeof options.scenario === 'string' && !chosen) {
    const ids = scenarios.map(({ id }) => id)
    problems.unshift({ option: 'scenario', problem: `takes ${suggestKnownWord(options.scenario, ids)}` })
  }
  // Lists of quirks are seeds, too; one with a wrong id is no seed.
  const problem = seed === undefined ? undefined : quirkSeedProblem(seed)
  if (problem !== undefined) problems.push({ option: 'strictClient', problem })
  return problems.length > 0 ? problems : read
}
