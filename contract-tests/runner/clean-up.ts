/** The clean-up after a run: restores the balance and deletes the keys that the run created, and no others. */
import { hasSuccessStatus, idAsText, itemsOf, valueAtPath } from '#traffic/exchange.ts'
import { isFromFrontServer } from '../client/recorder.ts'
import type { TestContext } from '../harness/context.ts'
import { createdIdIn } from '../harness/operations.ts'

/**
 * Restores the balance, and deletes the keys that the run has created, and those whose names contain its tag if a
 * response may have been lost. Works after an interruption; does nothing if the service is unreachable.
 */
export async function cleanUp(t: TestContext): Promise<void> {
  await restoreBalance(t).catch(() => undefined)
  if (!t.settings.sessionCookie || !t.recorder.requested.has('createKey')) return
  try {
    // The client retries for some seconds; for an unreachable service one request is enough.
    if (t.run.unreachable !== undefined) {
      await t.target.transport(t.target.baseUrl, singleRequest(t.settings.timeout))
      t.recorder.resume()
    }
    for (const { id } of [...t.keys]) if (id !== undefined) await remove(t, id)
    for (const id of mayHaveMore(t) ? await taggedKeys(t) : []) {
      if (t.keys.some((made) => made.id === id)) continue
      t.keys.push({ id, secret: '', others: [], shownBy: 0 })
      await remove(t, id)
    }
  } catch {
    // The report lists the remaining keys.
  }
}

/** Restores the balance if a state changed it, less what the run has spent since. */
async function restoreBalance({ balanceBefore, budget, states }: TestContext): Promise<void> {
  if (!balanceBefore) return
  const { org_id, credits, spent } = balanceBefore
  await states.setup('credits', { org_id, credits: Math.max(0, credits - (budget.spent - spent)) })
}

const singleRequest = (ms: number) => ({ method: 'GET', headers: {}, signal: AbortSignal.timeout(ms) })

/** True if the session may have created a tagged key of which no response has told the id. */
function mayHaveMore({ recorder, settings, runId }: TestContext): boolean {
  return recorder.sent.some(({ operation, requestHeaders, requestBody = '', exchange }) => {
    if (operation !== 'createKey' || requestHeaders.cookie !== settings.sessionCookie) return false
    if (!exchange || !hasSuccessStatus(exchange)) return requestBody.includes(`(${runId}-`)
    return createdIdIn(exchange) === undefined
  })
}

/** The ids of listed keys whose names contain the tag of the run. */
async function taggedKeys(t: TestContext): Promise<string[]> {
  const list = await t.cleanUpSession.call('listKeys')
  const tagged = itemsOf(list, 'keys').filter((key) =>
    String(valueAtPath(key, 'name')).includes(`(${t.runId}-`),
  )
  return tagged.flatMap((key) => idAsText(valueAtPath(key, 'id')) ?? [])
}

/** ms without a request after which a gateway's limit is over, and most such waits in a clean-up. */
const quietTime = 12_000
const mostWaits = 3

/** Deletes a key; a missing key counts as deleted. Waits where something in front of the service refuses to pass it on. */
async function remove(t: TestContext, id: string): Promise<void> {
  let exchange = await t.cleanUpSession.call('deleteKey', { id })
  for (let i = 0; i < mostWaits && isFromFrontServer(exchange); i++) {
    await t.target.sleep(quietTime)
    exchange = await t.cleanUpSession.call('deleteKey', { id })
  }
  const at = t.keys.findIndex((made) => made.id === id)
  if ((hasSuccessStatus(exchange) || exchange.status === 404) && at >= 0) t.keys.splice(at, 1)
}
