/**
 * A process that reads from a mock what the page reads, as often as the page does: the live stream, and everything about
 * the organization. It starts and stops as its parent says, and answers when it has.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { heavyReloadPauseFactor, minReloadMs } from '../state/changes.ts'

const [url] = process.argv.slice(2)
let watching: AbortController | undefined

async function watch(signal: AbortSignal): Promise<void> {
  const stream = await fetch(`${url}/__admin/stream`, { signal })
  const reader = stream.body?.getReader()
  await reader?.read()
  process.send?.('watching')
  loadAgain(signal).catch(() => undefined)
  while (!(await reader?.read())?.done);
}

async function loadAgain(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const start = performance.now()
    await (await fetch(`${url}/__admin/organization`, { signal })).arrayBuffer()
    await sleep(Math.max(minReloadMs, heavyReloadPauseFactor * (performance.now() - start)))
  }
}

process.on('message', (word) => {
  watching?.abort()
  if (word === 'stop') return void process.send?.('stopped')
  watching = new AbortController()
  watch(watching.signal).catch(() => undefined)
})
