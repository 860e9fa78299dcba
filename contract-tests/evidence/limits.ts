/** What is answered while a limit is exceeded, and during an outage: taken once for all requirements that ask for it. */
import type { OperationId } from '#contract/operation.ts'
import { brief, type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotExercised, skip } from '../client/check-errors.ts'
import { type CallOptions, type Client, notWaitedFor } from '../client/client.ts'
import { waitOf } from '../client/rate-limits.ts'
import type { TestContext } from '../harness/context.ts'
import { freeKeyOperations } from '../harness/operations.ts'
import { providerFault } from '../harness/provider-states.ts'
import { assumeCredits, catchUp } from './credits.ts'
import { newClient, spareClient } from './key-use.ts'
import { newNotification } from './notifications.ts'
import { endIfTaken, type ReadyRun, type RefusedCreative, readyRun } from './refusals.ts'
import { newTask } from './resources.ts'
import { isTaken, waitForEnd } from './runs.ts'
import { positiveControl, validRequests } from './valid-requests.ts'

type FreeKeyOperation = (typeof freeKeyOperations)[number]

/** Requests after which a limit of one must take effect: many counters are not exact. */
export const most = 9
/** The same of paid requests, each of which may cost a credit. */
export const mostPaid = 3
/** Seconds; long enough that no window ends during a check. */
const longWindow = 60
/** Seconds; short enough to wait for, and long enough to exceed the limit meanwhile. */
const shortWindow = (t: TestContext) => (t.recorder.usualTime() < quick ? 1 : 2)
/** ms for an answer of a service that can exceed a limit in a moment. */
const quick = 60
/** ms by which our timers may be early compared with the clock of the service. */
const timersAreEarly = 50

/** A 429 may not be owed to the limit that was set up. */
export const limitedAnyway = () =>
  new NotExercised('another limit, which the service has anyway, may have come first')

/** Runs an action while a limit of one request is set. */
export async function duringLimit<T>(
  t: TestContext,
  action: () => Promise<T>,
  window_s = longWindow,
): Promise<T> {
  const result = await t.during('rate_limit', { limit: 1, window_s }, action)
  await assumeUnlimited(t)
  return result
}

/** Continues only if the state was torn down; otherwise a limit that nobody exceeds replaces its own, or every later request would wait for the end of a window. */
async function assumeUnlimited(t: TestContext): Promise<void> {
  // What was paid during the limit may follow in the balance that this shows.
  if ((await t.call('whoami', { takes: [429] })).status !== 429) return catchUp(t)
  if (isUsuallyLimited(t)) return void (await t.call('whoami'))
  await t.states.setup('rate_limit', { org_id: await t.orgId(), limit: 1_000_000, window_s: 1 }).catch(skip)
  const what = 'after the teardown of the state "rate_limit", its limit still applies'
  for (const { states } of t.all) states.giveUp('rate_limit', what)
  throw providerFault(what)
}

/** Continues only if nobody else uses the key: a new limit of one request is not used up within so many ms. */
export async function assumeKeyUnused(t: TestContext, ms: number): Promise<void> {
  if (!t.states.mayOffer('rate_limit')) return
  const first = await duringLimit(t, async () => {
    await t.target.sleep(ms)
    return exceedAgain(t, 1)
  })
  if (first.status === 429)
    throw new NotExercised('somebody else uses the key', 'a key that nobody else uses')
}

/** Whether the service refused a request for its limit before a state arranged one. */
export function isUsuallyLimited({ recorder }: TestContext): boolean {
  const first = recorder.arranged.find(({ state }) => state === 'rate_limit')
  return recorder.sent.some(
    ({ exchange, received }) =>
      exchange?.status === 429 && received && received.place < (first?.sent.place ?? 0),
  )
}

/** Requests a generation that is to be refused with a status; one that is accepted is paid. */
async function generateInVain(t: TestContext, status: 429 | 503): Promise<Exchange> {
  t.budget.allow(1)
  const body = { prompt: t.name('A blue square') }
  const exchange = await t.call('generateCreative', { body, takes: [status] })
  if (isAccepted(exchange)) t.budget.spend(1)
  return exchange
}

type Send = () => Promise<Exchange>

/** Sends requests until a 429, at most that many; returns the last response. */
export async function exceed(send: Send, times = most): Promise<Exchange> {
  let last = await send()
  for (let i = 1; i < times && last.status !== 429; i++) last = await send()
  return last
}

/** The response of whoami beyond a new limit. Continues only if the first one is not refused: set-up makes counters fresh. */
async function exceedNew(t: TestContext): Promise<Exchange> {
  if ((await exceedAgain(t, 1)).status === 429)
    throw isUsuallyLimited(t)
      ? limitedAnyway()
      : providerFault('the state "rate_limit" keeps its counters: the first request after set-up got 429')
  return exceedAgain(t, most - 1)
}

/** The same of a limit that may have counted requests before. */
const exceedAgain = (t: TestContext, times = most): Promise<Exchange> =>
  exceed(() => t.call('whoami', { takes: [429] }), times)

/** Responses while the limit of the main key is exceeded; what could not be prepared, or nobody asks for, is missing. */
interface OneLimit {
  /** The last response of whoami: a 429, unless it is not limited. */
  readonly limited: Exchange
  /** The last response of each operation: routes may be counted each for itself. */
  readonly answers: ReadonlyMap<OperationId, Exchange>
  /** The task that was to be run, and the first response. */
  readonly run: { readonly ready: ReadyRun; readonly answer: Exchange } | undefined
  readonly creative: RefusedCreative | undefined
  /** To another key: of any organization, and of the same one. */
  readonly otherKey: Exchange | undefined
  readonly sameOrganization: Exchange | undefined
  /** The last response of whoami to that one, which has exceeded its own limit. */
  readonly created: Exchange | undefined
  /** A refusal that asked for a wait much shorter than the window, and the response after it. */
  readonly shortWait: WaitedOut | undefined
}

/** What is answered to each operation and each key while one limit is exceeded, taken once for all that run side by side. */
export const oneLimit = (t: TestContext): Promise<OneLimit> =>
  t.evidence(`one limit ${t.run.exclusive?.id ?? ''}`, async () => {
    const { otherApiKey } = t.settings
    const free = await prepareFree(
      t,
      (operation) =>
        operation !== 'whoami' && t.run.isFor(`LIMIT-${operation}`, `LIMIT-REFUSED-${createdBy[operation]}`),
    )
    const references = await prepareFree(
      t,
      (operation) => operation === 'listTasks' || operation === 'listDocuments',
    )
    // Beside other checks once: what is accepted then is repeated alone.
    const times = t.run.exclusive ? mostPaid : 1
    const isRun = t.run.isFor('LIMIT-runTask', 'LIMIT-REFUSED-RUN')
    const isAlsoGenerated = t.run.isFor('LIMIT-generateCreative', 'LIMIT-REFUSED-CREATIVE')
    const credits = isAlsoGenerated ? 2 * times : times
    const ready = isRun
      ? ((await unusedRun(t, credits)) ?? (await readyRun(t, credits).catch(beside(t))))
      : undefined
    const ids = ready ? [ready.id] : []
    while (ready && ids.length < times) ids.push((await newTask(t)).id)
    const balance = isAlsoGenerated
      ? (ready?.credits ?? (await assumeCredits(t, times).catch(beside(t))))
      : undefined
    const isCreated = t.run.isFor('LIMIT-SAME-ORGANIZATION', ...(otherApiKey ? [] : ['LIMIT-OTHER-KEY']))
    const makeClient = t.run.exclusive ? newClient : spareClient
    const isRepeated = t.run.exclusive?.id === 'LIMIT-whoami' && !t.settings.readOnly
    const made = isCreated
      ? makeClient(t).catch(beside(t))
      : isRepeated
        ? makeClient(t).catch(skip)
        : undefined
    const created = (await made)?.client
    const taken: string[] = []
    const seen = await duringLimit(t, async () => {
      const limited = await exceedNew(t)
      const answers = new Map<OperationId, Exchange>([['whoami', limited]])
      const isShort = t.run.isFor('LIMIT-WAITED-OUT') && (waitAfter(limited) ?? longestWait) < longestWait
      const shortWait = isShort ? await waitOut(t, limited) : undefined
      const exceedAll = (requests: readonly Prepared[]) =>
        Promise.all(requests.map(async ([operation, send]) => answers.set(operation, await exceed(send))))
      await exceedAll(free)
      let firstRun: Exchange | undefined
      for (const id of ids) {
        const exchange = await t.call('runTask', { id, takes: [429] })
        if (isTaken(exchange)) taken.push(id)
        answers.set('runTask', exchange)
        firstRun ??= exchange
        if (!isTaken(exchange)) break
      }
      let creative: Exchange | undefined
      for (let i = 0; balance !== undefined && i < times; i++) {
        const exchange = await generateInVain(t, 429)
        answers.set('generateCreative', exchange)
        creative ??= exchange
        if (!isAccepted(exchange)) break
      }
      if (![...answers.values()].some(({ status }) => status === 429)) await exceedAll(references)
      const whoami = (client: Client | undefined) => client?.call('whoami', { takes: [429] })
      return {
        limited,
        answers,
        run: ready && firstRun && { ready, answer: firstRun },
        creative:
          creative && balance !== undefined ? { ready, credits: balance, answer: creative } : undefined,
        otherKey: t.run.isFor('LIMIT-OTHER-KEY') ? await whoami(otherApiKey ? t.other : created) : undefined,
        sameOrganization: await whoami(created),
        created: created && (await exceed(() => created.call('whoami', { takes: [429] }), most - 1)),
        shortWait,
      }
    })
    for (const id of taken) {
      t.budget.spend(1)
      await waitForEnd(t, id)
    }
    return seen
  })

/** What operations do, as the requirements are called that look whether a refused one does. */
const createdBy: Partial<Record<OperationId, string>> = {
  createTask: 'TASK',
  createDocument: 'DOCUMENT',
  createLandingPage: 'LANDING-PAGE',
  readNotification: 'MARKING',
}

/** What cannot be prepared is left out beside other checks; alone it says why. */
const beside = (t: TestContext) => (error: unknown) => {
  if (t.run.exclusive) throw error
  return undefined
}

type Prepared = readonly [operation: FreeKeyOperation, send: Send]

/** A valid request of each operation that is accepted otherwise. */
async function prepareFree(
  t: TestContext,
  isMeant: (operation: FreeKeyOperation) => boolean,
  takes: CallOptions['takes'] = [429],
): Promise<Prepared[]> {
  const prepare = async (operation: FreeKeyOperation): Promise<Prepared | undefined> => {
    const control = await positiveControl(t, operation).catch(() => undefined)
    if (!control || !isAccepted(control)) return undefined
    // Creates what the request needs.
    await validRequests[operation](t)
    if (operation === 'readNotification') {
      // One that nobody has marked before.
      const id = await newNotification(t)
      return [operation, () => t.call(operation, { id, takes })]
    }
    return [operation, async () => t.call(operation, { ...(await validRequests[operation](t)), takes })]
  }
  const requests = await Promise.all(freeKeyOperations.filter(isMeant).map(prepare))
  return requests.filter((one) => one !== undefined)
}

/** A 429, provoked by a state, or by many requests if those are allowed. */
export const refused = (t: TestContext) =>
  t.evidence('429', async () => {
    const arranged = t.states.mayOffer('rate_limit') && (await oneLimit(t).catch(absent))
    if (arranged) return assumeLimited(arranged.limited)
    const times = t.settings.probeRateLimit
    if (times < 1)
      throw new NotExercised(
        'it needs a 429',
        'the state "rate_limit" at the states URL, or --probe-rate-limit N',
      )
    const last = await exceed(() => t.call('whoami', { takes: [429] }), times)
    if (last.status !== 429)
      throw new NotExercised(`${times} requests met no 429`, `--probe-rate-limit ${times * 2}`)
    return last

    function absent(error: unknown): undefined {
      if (error instanceof NotExercised && !t.states.mayOffer('rate_limit')) return undefined
      throw error
    }
  })

/** Continues only with a 429. */
export function assumeLimited(exchange: Exchange): Exchange {
  if (exchange.status === 429) return exchange
  throw new NotExercised(`${exchange.operation} is not limited (${brief(exchange)})`)
}

/** A 429, the wait that it asked for, ms, and the response to the same request after that. */
interface WaitedOut {
  readonly limited: Exchange
  readonly waited: number
  readonly answer: Exchange
}

/** A long window rarely ends that soon, ms. */
const longestWait = 3_000

const waitAfter = ({ status, headers }: Exchange) =>
  status === 429 ? waitOf(headers['retry-after'], headers.date) : undefined

/** Waits as a refused whoami asks, and sends it again. */
async function waitOut(t: TestContext, limited: Exchange): Promise<WaitedOut> {
  const waited = waitAfter(limited)
  if (waited === undefined) throw new NotExercised('Retry-After is missing or has no valid form')
  await t.target.sleep(waited + timersAreEarly)
  return { limited, waited, answer: await t.call('whoami', { takes: [429] }) }
}

/** A whoami sent again after a 429 and the wait given in Retry-After. */
export const waitedOut = (t: TestContext): Promise<WaitedOut> =>
  t.evidence('429 waited out', async () => {
    const arranged = t.states.mayOffer('rate_limit')
    const { shortWait } = (arranged && (await oneLimit(t).catch(skip))) || {}
    if (shortWait?.answer.status === 429) return shortWait
    // Where the first attempt failed beside other checks, one that works by luck shows nothing.
    const most = t.run.exclusive ? 3 : 1
    const retry = async (times = 1): Promise<WaitedOut> => {
      const exceeded = times === 1 ? exceedNew : exceedAgain
      const last = assumeLimited(arranged ? await exceeded(t) : await refused(t))
      if ((waitAfter(last) ?? 0) > t.settings.retryLimit)
        throw notWaitedFor(last, t.settings, arranged ? t.recorder.notWaited : new Set())
      const seen = await waitOut(t, last)
      return arranged && seen.answer.status !== 429 && times < most ? retry(times + 1) : seen
    }
    return arranged ? duringLimit(t, () => retry(), shortWindow(t)) : retry()
  })

/** The responses during an outage of the free operations that are accepted otherwise, to a run and to a generation. */
export const outage = (t: TestContext) =>
  t.evidence(`outage ${t.run.exclusive?.id ?? ''}`, async () => {
    const isAll = t.run.isFor('UNAVAILABLE-CODE', 'UNAVAILABLE-OVER')
    const isMeant = (one: FreeKeyOperation) =>
      (isAll && one !== 'readNotification') || t.run.isFor(`UNAVAILABLE-${createdBy[one]}`)
    const requests = await prepareFree(t, isMeant, [503])
    const isGenerated = t.run.isFor('UNAVAILABLE-CREATIVE')
    const ready = t.run.isFor('UNAVAILABLE-RUN')
      ? await readyRun(t, isGenerated ? 2 : 1).catch(beside(t))
      : undefined
    const credits = isGenerated ? (ready?.credits ?? (await assumeCredits(t, 1).catch(beside(t)))) : undefined
    const { answers, refused, creative } = await t.during('unavailable', {}, async () => ({
      answers: await Promise.all(requests.map(([, send]) => send())),
      refused: ready && (await t.call('runTask', { id: ready.id, takes: [503] })),
      creative: credits === undefined ? undefined : { ready, credits, answer: await generateInVain(t, 503) },
    }))
    if (ready && refused) await endIfTaken(t, ready.id, refused)
    return { answers, ready, refused, creative }
  })

/** The task whose run an outage has refused, if there are credits for more; undefined: there is none. */
async function unusedRun(t: TestContext, credits: number): Promise<ReadyRun | undefined> {
  if (t.run.exclusive || !t.run.evidence.has('outage ')) return undefined
  const { ready, refused } = await outage(t).catch(() => ({ ready: undefined, refused: undefined }))
  return ready && refused?.status === 503 && ready.credits >= credits ? ready : undefined
}

/** Continues only if some route answers again: if all stay unavailable, the state was not torn down. */
export async function assumeTornDown(t: TestContext): Promise<void> {
  for (const operation of ['listTasks', 'listDocuments'] as const)
    if ((await t.call(operation, { takes: [503] })).status !== 503) return
  const what = 'after the teardown of the state "unavailable", key routes still answer 503'
  for (const { states } of t.all) states.giveUp('unavailable', what)
  throw providerFault(what)
}

/** The error to throw if the state has no effect. */
export const outageFault = () => providerFault('the state "unavailable" makes nothing unavailable')
