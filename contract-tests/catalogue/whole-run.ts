/** Requirements that the whole traffic of the run bears on. They are tested after all others, by all that was seen. */
import type { OperationId } from '#contract/operation.ts'
import { brief, type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/check-errors.ts'
import { waitOf } from '../client/retry-after.ts'
import { refused } from '../evidence/beyond-limit.ts'
import { deleteTwice, laterKey } from '../evidence/deleted-keys.ts'
import { fellowKeys } from '../evidence/fellow-keys.ts'
import { secondRun } from '../evidence/finished-tasks.ts'
import { entryIn, newKey } from '../evidence/keys.ts'
import { isListedUnchanged, refusedRuns, violatedByRefusal } from '../evidence/late-runs.ts'
import { outwaitRefusals } from '../evidence/refusals.ts'
import { newTask } from '../evidence/resources.ts'
import { type Contradiction, idTwice, lostResource, runIdTwice, showsRun } from '../evidence/whole-run.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { createdId } from '../harness/created.ts'
import {
  assumeAccepted,
  assumeOrgId,
  assumePresent,
  becauseOf,
  expectSame,
  expectThat,
  show,
} from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'
import { document, type Kind, task } from './resource-kinds.ts'
import { runField } from './run-answers.ts'
import { newest } from './stored-resources.ts'

const writes = { writes: true, alone: true } as const

/** Requires nothing of the whole run to contradict a requirement. */
function expectNone(seen: Contradiction | undefined, expected: string, actual: (what: string) => string) {
  if (seen) throw new Violation(expected, actual(seen.what), seen.first, seen.second)
}

const readable = (kind: Kind): Requirement => {
  const { prefix, name, create, read, member, shared } = kind
  return must(`${prefix}-READABLE`, '§4', read, writes)
    .states(`A created ${name} can be read by its id, and the response contains that id.`)
    .check(async (t) => {
      for (const { id } of [await shared(t), await newest(t, kind)]) {
        const exchange = await t.call(read, { id })
        if (exchange.status === 404) throw new Violation(`the created ${name}`, brief(exchange), exchange)
        expectSame(idOf(field(assumeAccepted(exchange).json, member, 'id')), id, `${member}.id`, exchange)
      }
      const lost = lostResource(t.recorder.exchanges, create, read)
      expectNone(lost, `the created ${name}`, () => brief(lost?.second as Exchange))
    })
}

/** Whether the run has created several things of a kind, each with an id. */
function madeSeveral(t: TestContext, create: OperationId): boolean {
  const made = t.recorder.exchanges.filter(
    (one) => one.operation === create && one.caller === 'main' && isAccepted(one),
  )
  return made.length > 1 && made.every((one) => createdId(one) !== undefined)
}

const unique = ({ prefix, name, create, member, body }: Kind): Requirement =>
  must(`${prefix}-UNIQUE`, '§2', create, writes)
    .states(`Each created ${name} has a unique id.`)
    .check(async (t) => {
      for (const _ of madeSeveral(t, create) ? [] : ['first', 'second'])
        assumePresent(
          createdId(assumeAccepted(await t.call(create, { body: body(t) }))),
          `${member}.id of the created ${name}`,
        )
      expectNone(idTwice(t.recorder.exchanges, create), `a new id for each ${name}`, (id) => `${id} twice`)
    })

/** The 429 responses of the run; provokes one if there is none. */
async function limitedResponses(t: TestContext): Promise<Exchange[]> {
  const seen = () => t.recorder.exchanges.filter(({ status }) => status === 429)
  if (seen().length === 0) await refused(t)
  return seen()
}

/** Continues only if a task that never ran does not look as if it had. */
async function assumeNewTasksIdle(t: TestContext): Promise<void> {
  const { id } = await newTask(t)
  if (showsRun(assumeAccepted(await t.call('getTask', { id }))))
    throw becauseOf('TASK-NEW-UNFINISHED', 'a task that never ran looks as if it had')
}

export const wholeRun: Requirement[] = [
  readable(task),
  readable(document),
  unique(task),
  unique(document),

  must('KEY-UNIQUE', '§2', 'createKey', { ...writes, needs: ['session'] })
    .states('Each created key has a unique secret.')
    .check(async (t) => {
      for (let made = t.secrets.length; made < 2; made++) await newKey(t)
      const twice = t.secrets.find(
        ({ secret }, at) => t.secrets.findIndex((one) => one.secret === secret) < at,
      )
      const shown = t.recorder.exchanges.filter(({ number }) =>
        t.secrets.some((one) => one.shownBy === number && one.secret === twice?.secret),
      )
      expectThat(!twice, 'a new secret for each key', 'the same secret twice', ...shown.slice(0, 2))
    }),

  must('KEY-ID-UNIQUE', '§2', 'listKeys', { ...writes, needs: ['session'] })
    .states('Each listed key has a unique id.')
    .check(async (t) => {
      await laterKey(t)
      const { older, newer, list: seen } = await fellowKeys(t)
      const list = assumePresent(seen, 'the list of keys')
      const named = [older.key, newer.key].map(({ name }) => ({ id: undefined, name }))
      const [a, b] = named.map((key) =>
        assumePresent(idOf(field(entryIn(list, key), 'id')), 'the id of a created key in the list'),
      )
      expectThat(a !== b, 'two ids', `${a} twice`, list)
      expectNone(
        idTwice(t.recorder.exchanges, 'createKey'),
        'a new id for each key',
        (id) => `${id} twice, and the first key was not deleted`,
      )
    }),

  must('KEY-STAYS-DEAD', '§5.3', 'deleteKey', { ...writes, needs: ['session'] })
    .states('A deleted key stays invalid when other keys are created and deleted.')
    .check(async (t) => {
      const later = await laterKey(t)
      await deleteTwice(t, later.key)
      if (!later.isNamesake) await deleteTwice(t, await newKey(t, later.key.name))
      const living = new Set(t.keys.map(({ secret }) => secret))
      const refusedOnce = new Set(
        t.recorder.exchanges
          .filter(({ status }) => status === 401)
          .map(({ requestHeaders }) => requestHeaders.authorization),
      )
      const gone = t.secrets.filter(
        ({ secret }) => !living.has(secret) && refusedOnce.has(bearer(secret).authorization),
      )
      assumePresent(gone[0], 'a deleted key that was refused')
      for (const { secret } of gone) {
        const exchange = await t.as('created key', bearer(secret)).call('whoami')
        if (isAccepted(exchange)) throw new Violation('401 unauthorized', brief(exchange), exchange)
      }
    }),

  must('RUN-ID-UNIQUE', '§2', 'runTask', { ...writes, cost: 2 })
    .states('Each run has a unique runId (second variant).')
    .check(async (t) => {
      const shared = runIdTwice(t.recorder.exchanges)
      expectNone(shared, 'a runId for each run', (id) => `${id} for runs of two tasks`)
      const { first, answer } = await secondRun(t)
      const [a, b] = [idOf(runField(first.answer, 'runId')), idOf(runField(answer, 'runId'))]
      expectThat(a !== b, 'two run ids', `${a} twice`, first.answer, answer)
    }),

  must('RUN-REFUSED-LATER', '§3.2', 'runTask', writes)
    .states('A run that was rejected does not happen later.')
    .check(async (t) => {
      const seen = () => t.all.flatMap((one) => refusedRuns(one).map((run) => [one, ...run] as const))
      if (!seen().some(([, , { status }]) => status === 401))
        await t.nobody.call('runTask', { id: (await newTask(t)).id })
      const refusals = seen()
      if (refusals.length === 0) throw new NotExercised('no run of an existing task was rejected')
      await outwaitRefusals(t, ...refusals.map(([, , refusal]) => refusal))
      const lists = new Map<TestContext, Exchange>()
      for (const { 0: owner } of refusals)
        if (!lists.has(owner)) lists.set(owner, await owner.call('listTasks'))
      for (const [owner, id, exchange] of refusals) {
        if (violatedByRefusal(t, exchange) !== undefined) continue
        if (isListedUnchanged(owner, lists.get(owner) as Exchange, id)) continue
        const read = await owner.call('getTask', { id })
        if (showsRun(read)) await assumeNewTasksIdle(t)
        const { status } = Object(field(read.json, 'task'))
        const shown = `status ${show(status)}, finished: ${show(field(read.json, 'finished'))}`
        expectThat(!showsRun(read), 'a task that neither runs nor has run', shown, exchange, read)
      }
      const known = refusals.map(([, , refusal]) => violatedByRefusal(t, refusal))
      if (known.every((one) => one !== undefined))
        throw becauseOf(known[0] ?? '', 'every rejected run is a violation already')
    }),

  must('AUTH-STABLE-ORGANIZATION', '§5.2', 'whoami', { alone: true })
    .states('whoami returns the same org.id for the same key every time.')
    .check(async (t) => {
      const seen = () =>
        t.recorder.exchanges.filter(
          (one) => one.operation === 'whoami' && one.caller === 'main' && isAccepted(one),
        )
      while (seen().length < 2) assumeAccepted(await t.call('whoami'))
      const all = seen()
      const [first, ...others] = all as [Exchange, ...Exchange[]]
      const id = assumeOrgId(first)
      const other = others.find((one) => assumeOrgId(one) !== id)
      expectThat(!other, `${id} again`, String(other && assumeOrgId(other)), first, other)
    }),

  must('LIMIT-RETRY-AFTER', '§8.1', null, { alone: true })
    .states('Every 429 response has a Retry-After header in seconds or as an HTTP date (RFC 9110 §10.2.3).')
    .check(async (t) => {
      const seen = await limitedResponses(t)
      if (seen.length === 0) throw new NotExercised('no 429 response was seen')
      for (const exchange of seen) {
        const value = exchange.headers['retry-after']
        expectThat(
          waitOf(value, exchange.headers.date) !== undefined,
          'a Retry-After header with whole seconds or an HTTP date',
          value ?? 'no Retry-After header',
          exchange,
        )
      }
    }),
]
