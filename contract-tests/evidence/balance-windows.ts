/** Free requests between two readings of the balance, which those made at the same time share. */
import type { Exchange } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import { readCredits } from './credits.ts'

interface Window {
  readonly before: Promise<number>
  readonly requests: Promise<Exchange>[]
  after?: Promise<number>
}

/** Sends a request between two readings that requests made at the same time share. */
export async function betweenReadings(
  t: TestContext,
  send: () => Promise<Exchange>,
): Promise<{ before: number; exchange: Exchange; after: number }> {
  if (!t.run.overlapped) {
    const before = await readCredits(t)
    return { before, exchange: await send(), after: await readCredits(t) }
  }
  const windows = await t.evidence('balance windows', async () => {
    const first: { open: Window | undefined; last: Promise<number> } = {
      open: undefined,
      last: readCredits(t),
    }
    return first
  })
  windows.open ??= { before: windows.last, requests: [] }
  const window = windows.open
  const request = window.before.then(send)
  window.requests.push(request)
  for (let known = 0; known < window.requests.length; ) {
    known = window.requests.length
    await Promise.allSettled(window.requests)
  }
  if (!window.after) {
    windows.open = undefined
    window.after = readCredits(t)
    windows.last = window.after
    // A request that fails is reported before it.
    window.after.catch(() => undefined)
  }
  return { before: await window.before, exchange: await request, after: await window.after }
}
