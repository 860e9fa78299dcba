/** What is answered to each operation and each key while one limit is exceeded, taken once for all requirements. */
import type { Exchange } from '#traffic/exchange.ts'
import { isAccepted } from '#traffic/exchange.ts'
import type { CallOptions, Client } from '../client/client.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { type FreeOperation, freeKeyOperations } from '../harness/operation-groups.ts'
import { workingKey } from './key-use.ts'
import { newKey } from './keys.ts'
import { assumeLimited, duringLimit, exceed, exceedNew, takes } from './rate-limit.ts'
import { endIfTaken, type ReadyRun, readyRun } from './refused-runs.ts'
import { assumePositiveControl, validRequests } from './valid-requests.ts'

/** Responses while the limit of the main key is exceeded; what could not be prepared, or nobody asks for, is missing. */
interface OneLimit {
  /** The first 429. */
  readonly limited: Exchange
  /** By operation: routes may be counted each for itself. */
  readonly answers: ReadonlyMap<FreeOperation, Exchange>
  readonly creative: Exchange | undefined
  /** To a run of a task that is ready to be run. */
  readonly run: { readonly ready: ReadyRun; readonly answer: Exchange } | undefined
  /** To another key: of another organization, and of the same one. */
  readonly otherKey: Exchange | undefined
  readonly sameOrganization: Exchange | undefined
}

export const oneLimit = (t: TestContext): Promise<OneLimit> =>
  t.evidence('one limit', async () => {
    const free = await prepareFree(t)
    const ready = isWanted(t, 'LIMIT-runTask', 'LIMIT-REFUSED-RUN')
      ? await readyRun(t).catch(() => undefined)
      : undefined
    const isPaid = isWanted(t, 'LIMIT-generateCreative') && t.budget.spent < t.budget.limit
    const otherKey = isWanted(t, 'LIMIT-OTHER-KEY') && t.settings.otherApiKey ? t.other : undefined
    const sameOrganization = isWanted(t, 'LIMIT-SAME-ORGANIZATION') ? await createdKey(t) : undefined
    const { refused, ...seen } = await duringLimit(t, 1, async () => {
      const limited = assumeLimited(await exceedNew(t.main))
      const send = async ([one, options]: Prepared) => [one, await exceed(t.main, one, options)] as const
      return {
        limited,
        answers: new Map(await Promise.all(free.map(send))),
        creative: isPaid ? await generateLimited(t) : undefined,
        refused: ready && (await t.call('runTask', { id: ready.id, takes })),
        otherKey: await otherKey?.call('whoami', { takes }),
        sameOrganization: await sameOrganization?.call('whoami', { takes }),
      }
    })
    if (!ready || !refused) return { ...seen, run: undefined }
    await endIfTaken(t, ready.id, refused)
    return { ...seen, run: { ready, answer: refused } }
  })

const isWanted = (t: TestContext, ...ids: string[]) => ids.some((id) => t.run.wants(id))

type Prepared = readonly [FreeOperation, CallOptions]

/** A valid request of each operation that is accepted otherwise. */
async function prepareFree(t: TestContext): Promise<Prepared[]> {
  const wanted = freeKeyOperations.filter(
    (one) => isWanted(t, `LIMIT-${one}`) || (one === 'createTask' && isWanted(t, 'LIMIT-REFUSED-TASK')),
  )
  const prepared = wanted.map(async (operation): Promise<Prepared | undefined> => {
    try {
      await assumePositiveControl(t, operation)
      return [operation, await validRequests[operation](t)]
    } catch {
      return undefined
    }
  })
  return (await Promise.all(prepared)).filter((one) => one !== undefined)
}

/** A client with a key that the run has created; undefined if it cannot create one that works. */
async function createdKey(t: TestContext): Promise<Client | undefined> {
  const key = t.settings.sessionCookie ? await newKey(t).catch(() => undefined) : undefined
  const working = key && (await workingKey(t, key).catch(() => undefined))
  return working && t.as('created key', bearer(working.value))
}

async function generateLimited(t: TestContext): Promise<Exchange> {
  const exchange = await t.call('generateCreative', { body: { prompt: t.name('A blue square') }, takes })
  if (isAccepted(exchange)) t.budget.spend(1)
  return exchange
}
