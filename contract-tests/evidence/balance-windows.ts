/** Free requests between two readings of the balance, which those made at the same time share. */
import type { TestContext } from '../harness/context.ts'
import { readCredits } from './credits.ts'

interface Window {
  readonly before: Promise<number>
  readonly requests: Promise<unknown>[]
  after?: Promise<number>
}

/** What was done between two readings of the balance. */
export interface Measured<T> {
  readonly before: number
  readonly made: T
  readonly after: number
}

/** Sends requests between two readings, which what is sent at the same time shares. */
export async function betweenReadings<T>(t: TestContext, send: () => Promise<T>): Promise<Measured<T>> {
  if (!t.run.overlapped) {
    const before = await readCredits(t)
    return { before, made: await send(), after: await readCredits(t) }
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
  return { before: await window.before, made: await request, after: await window.after }
}
