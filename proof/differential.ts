/**
 * Shows that a change of the mock changed nothing outside: two mocks get the same options, requests, faults, control
 * calls and clock steps, drawn by fast-check, and must give the same bytes. It compares and judges nothing.
 */
import fc from 'fast-check'
import { operationIds, routeOf } from '#contract/operation.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { cookieHeaderOf, sessionTokenOf } from '#mocks/tenants/tenant.ts'

/** Interface of a mock of any version: the rest of it is reached through its control routes. */
interface Subject {
  fetch(request: Request): Promise<Response>
  readonly bugs: readonly unknown[]
}

/**
 * One request of a random session, to the API or to a control route. `#KIND.N` in its path or body stands for the Nth
 * id of that kind in earlier answers.
 */
export interface SessionStep {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A random session with a mock: its options, and the requests to send. */
export interface RandomSession {
  readonly options: MockOptions
  readonly steps: readonly SessionStep[]
}

const noon = Date.UTC(2026, 2, 1, 12)

const of = <const T extends readonly unknown[]>(...values: T): fc.Arbitrary<T[number]> =>
  fc.constantFrom(...values)
/** A generator of one of several texts, which stand between ` | `. */
const oneOf = (texts: string) => of(...texts.split(' | '))
const id = (kind: string) => fc.nat(7).map((n) => `#${kind}.${n}`)

/** Credentials of organizations: one of them sends most requests, so that random ids name what it has. */
const names = oneOf(
  'ada | ada | ada | ada | ada | ada | bob | bob.credits=2 | cy.run-progress=polls:2 | dee.fault=runTask=busy,ok',
)
const key = names.map((name) => `Bearer wak_test_${name}`)
const faults = oneOf(
  '503 | 429 | rate_limited date | fail | slow 9s | lost | lost truncate | reset | empty | truncate | ' +
    'malformed | bad_gateway | other_variant | quirks | delay 1ms | stale | dribble 1ms | 402 | busy | sl0w',
)
const rule = fc
  .tuple(
    of('', 'runTask=', 'getTask=', 'createTask=', 'nothing='),
    faults,
    of('', ',ok', ';times=2', ';after=1;rate=0.5'),
  )
  .map((parts) => parts.join(''))
const text = fc.oneof(
  faults.map((fault) => `Summarize [[mock:${fault}]]`),
  of('Write', ' spaced ', '', '\ud800 lone', '🤝 café', 'x'.repeat(3_000)),
)

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** A generator of objects with some of several fields, and all of others. */
const some = (fields: Fields, always: Fields = {}): fc.Arbitrary<object> =>
  fc.record({ ...fields, ...always }, { requiredKeys: Object.keys(always) })

/** Bodies by operation; every other route takes none. */
const bodies: Fields = {
  createTask: some({ text, description: text, extra: fc.json() }),
  createDocument: some({ title: text, folder_id: of('f1', 'f2', null), content_md: text }),
  createKey: some({ name: text }),
  generateCreative: some({ prompt: text, size: of('1024x1024', 7) }),
  createLandingPage: some({ business_name: text, publish: fc.boolean() }),
}

const preference = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  faults.map((fault) => `fault="${fault}"`),
  of('code=503', 'error=no_credits', 'variant=second', 'wait=0', 'variant=third', 'respond-async'),
)

/** Operations that change much are drawn more often. */
const often = ['createTask', 'runTask', 'runTask', 'getTask', 'listNotifications', 'createKey'] as const

const request: fc.Arbitrary<SessionStep> = fc
  .tuple(of(...operationIds, ...often, ...often, ...often), key, names, preference)
  .chain(([operation, bearer, name, prefer]) => {
    const { method, path, auth } = routeOf(operation)
    const headers = {
      ...(auth === 'key' ? { authorization: bearer } : { cookie: cookieHeaderOf(sessionTokenOf(name)) }),
      ...(prefer === undefined ? {} : { prefer }),
    }
    return fc.record({
      method: fc.constant(method),
      path: id(path.split(/[/?]/)[kindAt] ?? '').map((one) => path.replace(':id', one)),
      headers: fc.constant(headers),
      body: bodies[operation] ?? fc.constant(undefined),
    })
  })

/** The index of the kind in a path that is split at slashes: `/api/cli/KIND`. */
const kindAt = 3

const duration = of('1ms', '500ms', '2s', '7s', '1h', '1d', 250, -1, 'soon')
const numbered = fc.nat(30)
const queries = 'status=4xx operation=runTask text=mock limit=3 faulted=true since=4 staus=4'
const filters = ['', ...queries.split(' ').map((one) => `?${one}`)]
const scenarios = ['out-of-credits', 'rate-limited-burst', 'strict-client', 'none']
const few = { maxLength: 3 }
const states =
  'credits | agent_idle | agent_busy | next_run_fails | next_creative_fails | unavailable | rate_limit | ' +
  'unread_notification | none'
const parameters = { credits: of(0, 3), duration_ms: of(4_000), limit: of(2), window_s: of(5) }

/** Control calls: how often each is drawn, its method and path, where `#KIND` is an id and `#` a number; and its body. */
const control: readonly (readonly [string, fc.Arbitrary<unknown>?])[] = [
  ['9 PUT /clock', fc.record({ action: of('advance'), by: duration })],
  ['2 PUT /clock', fc.record({ action: of('advance'), to: of('next_event') })],
  ['1 PUT /clock', fc.record({ action: of('set', 'freeze'), to: of('2026-03-02T00:00:00Z') })],
  ['1 PUT /clock', fc.record({ action: of('advance'), until_finished: id('tasks') })],
  ['3 POST /credits', fc.record({ set: of(0, 1, 2.5, 7, -1) })],
  ['1 POST /credits', fc.record({ add: of(1, -3, 1e13) })],
  ['2 POST /notifications', some({ title: text, body: text })],
  ['4 POST /faults', rule.map((fault) => ({ rule: fault }))],
  [
    '2 POST /faults',
    fc.record({ operation: of('runTask', 'whoami', 'nothing'), faults: fc.array(faults, few) }),
  ],
  ['2 DELETE /faults/#faults'],
  ['3 PUT /behaviour', some({ strictClient: of(7, true, false, 'created-201'), chaos: of(0, 0.3, 2) })],
  ['2 PUT /settings', some({ variant: of('first', 'second', 'third'), extended: fc.boolean() })],
  ['2 POST /organizations', some({ credits: of(3, 'x') }, { name: of('eve', 'ada', 'b ob') })],
  ['2 POST /tasks/#tasks/finish', fc.record({ outcome: of('completed', 'failed') })],
  ['2 POST /fork', some({ at: numbered, name: of('fork', 'ada') })],
  [`1 POST ${scenarios.map((one) => `/scenarios/${one}/start`).join(' | ')}`],
  ['1 POST /reset | /reset/state | /reset/faults | /reset/journal'],
  [
    '3 POST /states',
    fc.record({
      state: oneOf(states),
      params: some(parameters, { org_id: id('org') }),
      action: of('setup', 'setup', 'teardown'),
    }),
  ],
  ['2 POST /requests/#/send', of({}, { body: '{"text":"again"}' }, { methd: 'GET' })],
  ['1 POST /requests/send', of({ method: 'GET', path: '/api/cli/tasks' }, { path: '/api/cli/whoami' })],
  ['2 PUT /state', of('#state')],
  ['2 GET /requests/#'],
  ['2 GET /organization?at=#'],
  ['1 GET /link?at=#'],
  [`1 GET ${filters.map((filter) => `/requests${filter}`).join(' | ')}`],
  ['1 GET /state'],
  ['1 GET /clok | /vocabulary | /scenarios | /version | /report?format=text'],
]

const pathOf = (texts: string) =>
  fc
    .tuple(oneOf(texts), fc.nat(30))
    .map(([path, n]) => path.replace(/#(\w*)/, (_, kind) => (kind ? `#${kind}.${n % 8}` : `${n}`)))

const call: fc.Arbitrary<SessionStep> = fc
  .tuple(
    fc.oneof(
      ...control.map(([head, body = of(undefined)]) => {
        const [, weight, method = '', paths = ''] = /^(\d) (\w+) (.+)$/.exec(head) ?? []
        return {
          weight: Number(weight),
          arbitrary: fc.record({ method: of(method), path: pathOf(paths), body }),
        }
      }),
    ),
    fc.option(key, { nil: undefined, freq: 6 }),
  )
  .map(([{ method, path, body }, bearer]) => ({
    method,
    path: `/__admin${path}`,
    headers: bearer === undefined ? {} : { authorization: bearer },
    body,
  }))

const options: fc.Arbitrary<MockOptions> = fc
  .record(
    {
      variant: of('first', 'second'),
      extended: fc.boolean(),
      credits: of(0, 2, 25),
      busy: of(0, 3, true),
      rateLimit: of('4/10s', 'off'),
      retryAfter: of('date', 'seconds'),
      runDuration: of('150ms', '6s'),
      runOutcome: of('failed', 0.5),
      force: of('503@getTask', 'busy'),
      fault: rule.filter((one) => !/nothing|sl0w|402|busy/.test(one)),
      chaos: of(0.2),
      runProgress: of('immediate', 'polls:2'),
      journal: of(0, 5, 100),
      reasonHeader: fc.boolean(),
      seed: fc.string({ maxLength: 4 }),
      keysOnly: of('k1,k2'),
      past: of('none', 'seeded', 40),
      topUp: of('3/5s'),
      strictClient: of(true, 9),
      scenario: of('slow-run', 'temporary-outage', 'odd-ids', 'top-up-and-recover', 'mixed-variants'),
      cors: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .map((drawn) => ({ ...(drawn as MockOptions), now: noon }))

/** Creates the fast-check arbitrary for sessions with a limited number of steps. */
export const sessionArbitrary = (mostSteps: number): fc.Arbitrary<RandomSession> =>
  fc.record({
    // Most sessions set few options, so that one does not hide another.
    options: fc.tuple(options, fc.integer({ min: 1, max: 6 }), fc.nat()).map(([all, most, from]) => {
      const entries = Object.entries(all).filter(([name]) => name !== 'now')
      const kept = entries.map((_, at) => entries[(from + at) % entries.length] ?? []).slice(0, most)
      return { ...Object.fromEntries(kept), now: all.now } as MockOptions
    }),
    steps: fc.array(fc.oneof({ weight: 3, arbitrary: request }, { weight: 1, arbitrary: call }), {
      minLength: Math.ceil(mostSteps / 2),
      maxLength: mostSteps,
      size: 'max',
    }),
  })

/** Views that are read when a session has ended. */
const views = [
  ...['/requests', '/requests/rows', '/requests.har', '/faults', '/ledger', '/organizations', '/overview'],
  ...['/state', '/report', '/report?format=html', '/clock', '/openapi.json'],
]

/**
 * Runs a session against a mock; returns each answer and each view of the state as text, so that two mocks can be
 * compared.
 */
export async function runSession(
  create: (options: MockOptions) => Subject,
  session: RandomSession,
): Promise<string[]> {
  let mock: Subject
  try {
    mock = create(session.options)
  } catch (error) {
    return [String(error)]
  }
  const seen = new Map<string, string[]>()
  let state: unknown = {}
  const given = (template: string) =>
    template.replace(/#([\w-]+)\.(\d+)/g, (_, kind: string, nth: string) => {
      const ids = seen.get(kind) ?? []
      return ids[Number(nth) % Math.max(1, ids.length)] ?? `no-${kind}`
    })
  const log: string[] = []
  const send = async ({ method, path, headers, body }: SessionStep) => {
    const sent = body === '#state' ? state : body
    const init: RequestInit = { method, headers: { ...headers, 'content-type': 'application/json' } }
    if (sent !== undefined) init.body = given(JSON.stringify(sent))
    try {
      const response = await mock.fetch(new Request(`http://mock.invalid${given(path)}`, init))
      const answer = await response.text().catch((error: unknown) => `broken off: ${String(error)}`)
      for (const [, name = '', one = ''] of answer.matchAll(/"(id|org_id)":"?([\w.-]+)/g)) {
        const kind = name === 'org_id' ? 'org' : (path.split(/[/?]/)[kindAt] ?? '')
        const ids = seen.get(kind) ?? []
        if (!ids.includes(one)) seen.set(kind, [...ids, one])
      }
      if (method === 'GET' && path === '/__admin/state' && response.ok) state = JSON.parse(answer)
      log.push(
        `${method} ${given(path)} ${response.status} ${JSON.stringify([...response.headers])} ${answer}`,
      )
    } catch (error) {
      log.push(`${method} ${given(path)} ${String(error)}`)
    }
  }
  await send({ method: 'PUT', path: '/__admin/clock', headers: {}, body: { action: 'freeze', at: noon } })
  for (const kind of ['tasks', 'documents', 'notifications'])
    await send({ method: 'GET', path: `/api/cli/${kind}`, headers: { authorization: 'Bearer wak_test_ada' } })
  for (const step of session.steps) await send(step)
  const last = [...log.join('').matchAll(/"number":(\d+)/g)].reduce(
    (most, [, n]) => Math.max(most, Number(n)),
    0,
  )
  const entries = Array.from({ length: Math.min(last, 60) }, (_, at) => `/requests/${last - at}`)
  for (const path of [...views, ...entries])
    await send({ method: 'GET', path: `/__admin${path}`, headers: {} })
  if (mock.bugs.length > 0) log.push(`bugs: ${mock.bugs.map(String).join('; ')}`)
  return log
}
