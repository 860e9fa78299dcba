/**
 * A request that is replayed in the state right before it gets the answer that it got: over drawn histories with every
 * kind of fault and with operators in between, in an empty mock by a link or a copy, and in a fork.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type OperationId, operationIds } from '#contract/operation.ts'
import type { Mock } from '../app.ts'
import { type FaultRuleText, parseFaultRule } from '../faults/grammar.ts'
import { faultExamples } from '../faults/words.ts'
import { type RequestParts, uncheckedClientOf } from '../testing/client.ts'
import { createControlClient } from '../testing/control.ts'
import { createNonHangingFetch } from '../testing/giving-up.ts'
import { createFrozenMock } from '../testing/mock.ts'
import { sampleUnlessExhaustive } from '../testing/sample.ts'

const seed = 68
const historiesEach = 4

const name = 'ada'

/** Every fault, without the longer waits of some; and as an answer that is lost. */
const faults = [
  ...faultExamples.map((word) => ({ 'delay 500ms': 'delay 1ms', dribble: 'dribble 1ms' })[word] ?? word),
  ...['429 date', 'lost', 'lost truncate', 'lost hang'],
]

/** An operation to which a fault applies, the one with the most state first. */
const operationOf = (word: string): OperationId =>
  (['runTask', ...operationIds] as const).find(
    (one) => typeof parseFaultRule(`${one}=${word}`) !== 'string',
  ) ?? 'whoami'

/** Requests of a client, which take ids from what there is. */
const requests: readonly OperationId[] = [
  ...operationIds,
  ...(['createTask', 'runTask', 'runTask', 'runTask', 'getTask', 'generateCreative'] as const),
]

const bodies: Partial<Record<OperationId, object>> = {
  createTask: { text: 'Say hello' },
  createDocument: { title: 'Notes', content_md: '# a' },
  createKey: { name: 'CI' },
  generateCreative: { prompt: 'sea' },
  createLandingPage: { business_name: 'Sea' },
}

const calls: Readonly<Record<string, object>> = {
  'POST /credits': { set: 0 },
  'POST /states': { state: 'agent_busy', params: { duration_ms: 60_000 }, action: 'setup' },
  'POST /notifications': {},
}

type Step =
  | { readonly request: OperationId; readonly place: number }
  | { readonly rule: string; readonly isForAll: boolean }
  | { readonly call: string; readonly body: object }
  | { readonly removal: number }
  | { readonly undo: true }

const states = ['next_run_fails', 'next_creative_fails', 'unavailable']

const aRequest = fc.record({ request: fc.constantFrom(...requests), place: fc.nat(5) })
const aRule = fc.record({
  rule: fc
    .tuple(
      fc.constantFrom('', 'runTask=', 'createTask=', 'whoami=', 'generateCreative='),
      fc.constantFrom(...faults),
      fc.constantFrom('', ';times=1', ',ok;times=4', ';after=1;times=2', ';rate=0.5'),
    )
    .map((parts) => parts.join(''))
    .filter((text) => typeof parseFaultRule(text) !== 'string'),
  isForAll: fc.boolean(),
})
const aCall = fc.constantFrom<Step>(
  ...Object.entries(calls).map(([call, body]) => ({ call, body })),
  ...[7.5, 3].map((set) => ({ call: 'POST /credits', body: { set } })),
  ...states.map((state) => ({ call: 'POST /states', body: { state, action: 'setup' } })),
  ...['1s', '3s', '70s'].map((by) => ({ call: 'PUT /clock', body: { action: 'advance', by } })),
  ...[
    { variant: 'second' },
    { extended: false },
    { rateLimit: '3/60s' },
    { runOutcome: '0.5' },
    { runDuration: '1m' },
    { chaos: 0.5 },
    { strictClient: '7' },
  ].map((body) => ({ call: 'PUT /settings', body })),
  { call: 'POST /reset/state', body: {} },
  { call: 'POST /reset/faults', body: {} },
)
const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: aRequest },
  { weight: 3, arbitrary: aRule },
  { weight: 4, arbitrary: aCall },
  { weight: 1, arbitrary: fc.record({ removal: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.constant<Step>({ undo: true }) },
)

/** Plays a history. An undo restores the state of some steps before. */
async function live(mock: Mock, history: readonly Step[]): Promise<void> {
  const client = uncheckedClientOf({ ...mock, fetch: createNonHangingFetch(mock.handle) }, name)
  const control = createControlClient(mock, mock.credentials(name).apiKey)
  let kept = await control.done('GET /state')
  for (const step of history) {
    if ('request' in step) {
      const { request: operation, place } = step
      const { tasks } = mock.organization(name).changed()
      const id = tasks.at(-1 - (place % Math.max(1, tasks.length)))?.id ?? 'none'
      const input: RequestParts = { id, ...(bodies[operation] && { body: bodies[operation] }) }
      // A connection fault rejects, and a body may be no JSON.
      await client.call(operation, input).catch(() => undefined)
    } else if ('rule' in step)
      (step.isForAll ? mock : mock.organization(name)).faults.add(step.rule as FaultRuleText)
    else if ('call' in step) await control.call(step.call, { body: step.body })
    else if ('removal' in step) {
      const rules = mock.faults.list()
      const rule = rules[step.removal % Math.max(1, rules.length)]
      if (rule) mock.faults.remove(rule.id)
    } else {
      await control.call('PUT /state', { body: kept })
      kept = await control.done('GET /state')
    }
  }
}

const entriesOf = (mock: Mock) => mock.journal.entries()
type Shown = ReturnType<typeof entriesOf>[number]

/** Parts of an answer that a replay in another mock must reproduce. */
const answerOf = ({ status, error, reason, wire, variant, answer, id }: Shown) => ({
  ...{ id, status, error, reason, wire, variant, answer },
})

/** Parts of an answer that must be the same in a fork, whose ids and names are others. */
const outcomeOf = ({ status, error, reason, wire, variant }: Shown) => ({
  ...{ status, error, reason, wire, variant },
})

/** Sends a recorded request again, with a credential. */
async function replay(mock: Mock, { request }: Shown, as: string): Promise<Shown | undefined> {
  const { apiKey, sessionCookie } = mock.credentials(as)
  const headers = new Headers(request.headers)
  if (headers.has('authorization')) headers.set('authorization', `Bearer ${apiKey}`)
  if (headers.has('cookie')) headers.set('cookie', sessionCookie)
  const { method, body } = request
  const again = new Request(request.url, { method, headers, body, redirect: 'manual' })
  await createNonHangingFetch(mock.handle)(again).catch(() => undefined)
  return mock.journal.entries().at(-1)
}

/** Options of the mock, of which quirks and the variant decide whole answers. */
const mocks = [
  ...(['off', '4/60s'] as const).map((rateLimit) => ({ rateLimit })),
  { rateLimit: 'off', strictClient: '7' },
  { rateLimit: 'off', variant: 'second' },
] as const

const aHistory = fc.array(aStep, { minLength: 5, maxLength: 12 })

test.each(
  sampleUnlessExhaustive(faults, 3),
)('under %s and other rules, every request of a drawn history gets its answer again', async (word) => {
  const operation = operationOf(word)
  const applied = new Set<string | null>()
  await fc.assert(
    fc.asyncProperty(aHistory, fc.constantFrom(...mocks), async (history, options) => {
      const mock = createFrozenMock({ seed: 'drawn', credits: 3, ...options })
      mock.organization(name).clock.freeze(mock.clock.now())
      const created = { request: 'createTask', place: 0 } as const
      const rule = { rule: `${operation}=${word};times=2`, isForAll: false }
      const asked = { request: operation, place: 0 }
      await live(mock, [created, rule, asked, ...history, asked])
      const control = createControlClient(mock, mock.credentials(name).apiKey)
      for (const entry of mock.journal.entries()) {
        const query = `?before=${entry.number}`
        const { fragment, file } = await control.done('GET /link', { query })
        const copies = { query: '?restore=true' }
        const { copy } = await control.done(`GET /requests/${entry.number}`, copies)
        if (fragment) expect(copy.curl).toContain(fragment)
        const empty = createFrozenMock({ seed: 'another', credits: 99, fault: 'whoami=500' })
        await createControlClient(empty).done('POST /restore', { body: { file } })
        const again = await replay(empty, entry, name)
        expect(again && answerOf(again)).toEqual(answerOf(entry))
        const fork = await control.done('POST /fork', { body: { before: entry.number } })
        const forked = await replay(mock, entry, fork.api_key.replace('wak_test_', ''))
        expect(forked && outcomeOf(forked)).toEqual(outcomeOf(entry))
        applied.add(entry.reason)
      }
    }),
    { seed, numRuns: historiesEach },
  )
  expect([...applied].filter((reason) => reason?.includes('fault='))).not.toEqual([])
})

test('that are 100 histories at least', () => {
  expect(faults.length * historiesEach).toBeGreaterThanOrEqual(100)
})
