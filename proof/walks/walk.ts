/** Random walks through a mutated mock without a socket: several clients, lost answers, late effects, others, a clock that drifts. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { createSeededSampler, type RandomSampler } from '#contract/random.ts'
import type { Variant } from '#contract/route.ts'
import { parseJsonBody } from '#contract-tests/client/answer.ts'
import {
  type ModelEvent,
  type RequestEvent,
  refusedBodyKinds,
  SecretNumbering,
} from '#contract-tests/model/index.ts'
import { buildRequest, testOrigin } from '#mocks/testing/client.ts'
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import { createMutatedMock, type Mutation } from '../mutations/mutation.ts'

interface WalkOptions {
  readonly seed: number
  readonly steps: number
  readonly mutations: readonly Mutation[]
  readonly variant: Variant
  /** Most requests at once. */
  readonly clients: number
  /** Share of answers that are lost; a third of their requests takes effect later, another third never. */
  readonly lost: number
  /** Share of steps before which another user of the organization does something. */
  readonly others: number
  /** ms that the recording clock advances for each ms of the service. */
  readonly drift: number
}

/** Maximum number of tasks that are read before one is made to fail. */
const mostRead = 40

/**
 * Sends random requests of several clients to a mock with mutations; returns the history, and errors of the mock. Equal
 * options give equal histories.
 */
export async function runRandomWalk(options: WalkOptions) {
  const world = await createWorld(options)
  const { clock, send: ask } = world
  const random = createSeededSampler(options.seed)
  const { withProbability, below } = random
  const history: ModelEvent[] = []
  const seen = { main: nothingSeen(), other: nothingSeen() }
  /** Requests that were lost on the way and arrive later. */
  const late: Ask[] = []
  const identity = new SecretNumbering()
  let [places, asked] = [0, 0]

  const moment = () => ({ seq: ++places, ms: clock.now() * options.drift })

  const newText = () => String(below(2 ** 32))

  function draw(): Ask {
    const tenant = withProbability(0.2) ? 'other' : 'main'
    const other = seen[tenant === 'main' ? 'other' : 'main']
    const [, drawOne] = random.pickWeighted(draws, ([weight]) => weight) ?? draws[0]
    return { tenant, ...drawOne(seen[tenant], random, newText(), other) }
  }

  /** Sends a request; undefined where its answer is lost. */
  async function answerTo(
    sent: Ask,
  ): Promise<{ readonly status: number; readonly json: unknown } | undefined> {
    if (!withProbability(options.lost)) return ask(sent)
    const lot = below(3)
    if (lot === 0) await ask(sent)
    if (lot === 1) late.push(sent)
    return undefined
  }

  /** Sends requests at once and records them. Returns the answers that came. */
  async function send(asks: readonly Ask[]): Promise<unknown[]> {
    const sent = asks.map((one) => ({ ask: one, id: ++asked, sent: moment() }))
    const ended = await Promise.all(sent.map(async (one) => ({ ...one, answer: await answerTo(one.ask) })))
    // Answers come in another order than requests.
    for (const { ask, id, sent, answer } of ended.sort(() => below(2) - 0.5)) {
      const { tenant, created, text, credential, ...asked } = ask
      const event: RequestEvent = {
        ...{ ...asked, kind: 'request', id, sent, credential, key: created?.by },
        tenant: credential ? null : tenant,
        content: text === undefined ? undefined : text === '' ? 'none' : 'not-json',
        answer: answer ? { ...answer, received: moment() } : null,
      }
      history.push({ ...event, secret: identity.of(event) })
      if (answer) see(seen[tenant], ask, id, answer.json)
      if (answer?.status === 429) clock.advance(1_000)
    }
    return ended.map(({ answer }) => answer?.json)
  }

  async function arrange(state: string, params: Params = {}, action: Action = 'setup'): Promise<void> {
    const sent = moment()
    const isDone = await world.arrange(state, params, action)
    const common = { kind: 'arranged', id: ++asked, tenant: 'main' } as const
    if (isDone) history.push({ ...common, state, action, params, sent, received: moment() })
  }

  async function arrangeAny(): Promise<void> {
    if (withProbability(0.5)) return arrange('credits', { credits: below(8) })
    await arrange(withProbability(0.5) ? 'next_run_fails' : 'unread_notification')
  }

  const own = (operation: OperationId, more: Partial<Ask> = {}): Ask => ({
    tenant: 'main',
    operation,
    ...more,
  })

  /** Runs a task that fails while nothing else runs, so that the model learns how failed runs end. */
  async function failOne(): Promise<void> {
    const sendAlone = async (...one: Parameters<typeof own>) => {
      const [json] = await send([own(...one)])
      clock.advance(8_000)
      return json
    }
    for (const resource of seen.main.tasks.slice(-mostRead)) await sendAlone('getTask', { resource })
    const json = await sendAlone('createTask', { body: { text: `Failing ${asked}` } })
    const resource = idAsText(valueAtPath(json, 'task', 'id'))
    if (resource === undefined) return
    await arrange('next_run_fails')
    await sendAlone('runTask', { resource })
    await sendAlone('getTask', { resource })
    await arrange('next_run_fails', {}, 'teardown')
    await sendAlone('whoami')
  }

  /** Asks for things that a limit or an outage refuses, and lists what there is. */
  async function haveRefused(): Promise<void> {
    const [state, params] = withProbability(0.5)
      ? (['unavailable', {}] as const)
      : (['rate_limit', { limit: 1, window_s: 60 }] as const)
    const text = `Refused ${newText()}`
    await arrange('unread_notification')
    await send([own('listNotifications')])
    await arrange(state, params)
    await send([own('listTasks')])
    await send([
      own('createTask', { body: { text } }),
      own('createDocument', { body: { title: text } }),
      own('createLandingPage', { body: { business_name: text } }),
      own('readNotification', { resource: one(seen.main.notifications, random) ?? 'none' }),
    ])
    await arrange(state, params, 'teardown')
    await send([own('listTasks'), own('listDocuments', { query: { all: '1' } })])
    await send([own('listLandingPages'), own('listNotifications')])
  }

  async function step(): Promise<unknown> {
    if (withProbability(options.others)) await ask(draw())
    if (late.length > 0 && withProbability(0.3)) await ask(late.shift() as Ask)
    if (withProbability(0.25)) clock.advance(below(1_500))
    if (withProbability(0.02)) return arrangeAny()
    if (withProbability(0.005)) return failOne()
    if (withProbability(0.005)) return haveRefused()
    const burst = withProbability(0.4) ? 1 + below(options.clients) : 1
    return send(Array.from({ length: burst }, draw))
  }

  while (history.length < options.steps) await step()
  return { history, bugs: world.bugs }
}

type UsualCredential = 'missing' | 'invalid' | 'session' | 'key'

/** A request of a walk. */
interface Ask {
  readonly tenant: 'main' | 'other'
  readonly operation: OperationId
  /** A created key instead of that of the tenant. */
  readonly created?: { readonly by: number; readonly secret: string } | undefined
  readonly resource?: string | undefined
  readonly query?: Record<string, string>
  readonly body?: unknown
  /** Sent in place of a body. */
  readonly text?: string
  readonly credential?: UsualCredential
}

type Action = 'setup' | 'teardown'

type Params = Readonly<Record<string, unknown>>

/** The start of mock time, ms since the epoch. */
const now = Date.UTC(2026, 2, 2, 9)

/** A mock with mutations, its clock, and how it is asked. */
async function createWorld({ mutations, variant, seed }: WalkOptions) {
  const options = { variant, now, seed: `walk ${seed}`, credits: 12, rateLimit: 'off' } as const
  const mock = createMutatedMock(mutations, options)
  mock.clock.freeze(now)
  const { apiKey, sessionCookie, otherApiKey, otherSessionCookie } = mock.credentials()
  const credentials = {
    main: { key: apiKey, cookie: sessionCookie },
    other: { key: otherApiKey, cookie: otherSessionCookie },
  }
  /** Sends a request and reads its answer. */
  const send = async ({ tenant, operation, created, resource = '', query, credential, body, text }: Ask) => {
    const { auth } = routeOf(operation)
    const { key, cookie } = credentials[tenant]
    const sent: Record<UsualCredential, Record<string, string>> = {
      missing: {},
      invalid:
        auth === 'cookie' ? { cookie: 'work_agent_session=none' } : { authorization: 'Bearer no-such-key' },
      key: { authorization: `Bearer ${created?.secret ?? key}` },
      session: { cookie },
    }
    const asked = { id: resource, ...(query && { query }), body: text ?? body }
    const request = buildRequest(
      operation,
      asked,
      sent[credential ?? (auth === 'cookie' ? 'session' : 'key')],
    )
    const response = await mock.fetch(text === undefined ? request : new Request(request, { body: text }))
    return { status: response.status, json: parseJsonBody(await response.text()) }
  }
  const whoami = await send({ tenant: 'main', operation: 'whoami' })
  const org_id = valueAtPath(whoami.json, 'org', 'id')
  return {
    send,
    /** Sets up or tears down a provider state for the first organization. */
    async arrange(state: string, params: Params, action: Action) {
      const body = JSON.stringify({ state, params: { org_id, ...params }, action })
      return (await mock.fetch(new Request(`${testOrigin}/__admin/states`, { method: 'POST', body }))).ok
    },
    clock: mock.clock,
    bugs: mock.bugs,
  }
}

/** Ids that a walk has seen of one organization, and keys that it has created. */
interface Seen {
  readonly tasks: string[]
  readonly documents: string[]
  readonly notifications: string[]
  readonly keys: { id: string | undefined; by: number; secret: string }[]
}

const nothingSeen = (): Seen => ({ tasks: [], documents: [], notifications: [], keys: [] })

/** Draws a request. `other`: what was seen of the other organization. */
type Draw = (seen: Seen, random: RandomSampler, text: string, other: Seen) => Omit<Ask, 'tenant'>

/** A random item of a list, mostly one of the last four. */
const one = <T>(list: readonly T[], { pick, withProbability }: RandomSampler): T | undefined =>
  pick(withProbability(0.8) ? list.slice(-4) : list)

const of =
  (kind: 'tasks' | 'documents' | 'notifications', operation: Ask['operation']): Draw =>
  (seen, random) => ({
    operation,
    resource: random.withProbability(0.03)
      ? `no-such-${random.below(2 ** 32)}`
      : (one(seen[kind], random) ?? 'none'),
  })

/** A draw of requests for resources of the other organization. */
const foreign =
  (...what: Parameters<typeof of>): Draw =>
  (_, random, text, other) =>
    of(...what)(other, random, text, other)

const folders = ['f1', 'f2']

const documentBody: Draw = (_, random, text) => ({
  operation: 'createDocument',
  body: {
    title: `Title ${text}`,
    ...(random.withProbability(0.5) ? { content_md: ` # ${text} \n\n` } : {}),
    ...(random.withProbability(0.3) ? { summary: `Summary ${text}` } : {}),
    ...(random.withProbability(0.4) ? { folder_id: one(folders, random) } : {}),
  },
})

/** The first field of a body, which it must have. */
const firstField = (operation: OperationId) => Object.keys(routeOf(operation).body?.shape ?? {})[0]
const withBody = refusedBodyKinds.map(([operation]) => operation)

/** A random item of a list. */
const any = <T>(list: readonly T[], random: RandomSampler) => random.pick(list) as T

/** A body that is refused, by some services at least. */
const badBody: Draw = (_, random) => {
  const operation = any(withBody, random)
  const values = [undefined, null, {}, [], 7, true].map((value) => ({ [firstField(operation) ?? '']: value }))
  const text = any([undefined, undefined, undefined, '', '{'], random)
  if (text !== undefined) return { operation, text }
  return { operation, body: any<unknown>([...values, [], 'text', null], random) }
}

const idsOf = ({ keys }: Seen) => keys.flatMap(({ id }) => id ?? [])

/** A request that would be accepted with a valid credential, sent without one. */
const withoutAccess: Draw = (seen, random, text) => {
  const operation = any(operationIds, random)
  const other = routeOf(operation).auth === 'key' ? 'session' : 'key'
  const field = firstField(operation)
  return {
    operation,
    credential: any<UsualCredential>(['missing', 'invalid', other], random),
    resource:
      one([...seen.tasks, ...seen.documents, ...seen.notifications, ...idsOf(seen)], random) ?? 'none',
    ...(field ? { body: { [field]: `Refused ${text}` } } : {}),
  }
}

const reads = ['listLeads', 'listCampaigns', 'getInsights', 'getWallet', 'getBilling'] as const

/** A draw with its weight. */
type Weighted = readonly [number, Draw]

const draws: readonly [Weighted, ...Weighted[]] = [
  [8, () => ({ operation: 'whoami' })],
  [8, (_, __, text) => ({ operation: 'createTask', body: { text: ` Task ${text} ` } })],
  [1, () => ({ operation: 'createTask', body: { text: 7 } })],
  [7, () => ({ operation: 'listTasks' })],
  [14, of('tasks', 'getTask')],
  [9, of('tasks', 'runTask')],
  [4, documentBody],
  [6, of('documents', 'getDocument')],
  [3, () => ({ operation: 'listDocuments', query: { all: '1' } })],
  [2, (_, random) => ({ operation: 'listDocuments', query: { folder_id: one(folders, random) ?? '' } })],
  [1, () => ({ operation: 'listDocuments' })],
  [5, () => ({ operation: 'listNotifications' })],
  [4, of('notifications', 'readNotification')],
  [2, () => ({ operation: 'generateCreative', body: { prompt: 'A poster.' } })],
  [2, (_, __, text) => ({ operation: 'createKey', body: { name: ` Key ${text}` } })],
  [2, () => ({ operation: 'listKeys' })],
  [2, ({ keys }, random) => ({ operation: 'deleteKey', resource: one(keys, random)?.id ?? 'none' })],
  [3, ({ keys }, random) => ({ operation: 'whoami', created: one(keys, random) })],
  [2, (_, __, text) => ({ operation: 'createLandingPage', body: { business_name: `Site ${text} ` } })],
  [2, () => ({ operation: 'listLandingPages' })],
  [2, (_, random) => ({ operation: one(reads, random) ?? 'listLeads' })],
  [4, badBody],
  [7, withoutAccess],
  [1, foreign('tasks', 'getTask')],
  [1, foreign('tasks', 'runTask')],
  [1, foreign('documents', 'getDocument')],
  [1, foreign('notifications', 'readNotification')],
  [1, (_, random, __, { keys }) => ({ operation: 'deleteKey', resource: one(keys, random)?.id ?? 'none' })],
]

/** Members of answers that show each kind: one thing, or a list. */
const shown: Partial<Record<OperationId, readonly ['tasks' | 'documents' | 'notifications', string]>> = {
  createTask: ['tasks', 'task'],
  listTasks: ['tasks', 'items'],
  createDocument: ['documents', 'item'],
  listDocuments: ['documents', 'items'],
  listNotifications: ['notifications', 'items'],
}

/** Adds what an answer shows. `by`: the number of the request. */
function see(seen: Seen, { operation }: Pick<Ask, 'operation'>, by: number, json: unknown): void {
  const [kind = 'tasks', member = ''] = shown[operation] ?? []
  for (const one of [valueAtPath(json, member)].flat()) {
    const id = idAsText(valueAtPath(one, 'id'))
    if (id !== undefined && !seen[kind].includes(id)) seen[kind].push(id)
  }
  const secret = valueAtPath(json, 'secret')
  if (operation === 'createKey' && typeof secret === 'string')
    seen.keys.push({
      id: idAsText(valueAtPath(json, 'key', 'id')) ?? idAsText(valueAtPath(json, 'id')),
      by,
      secret,
    })
}
