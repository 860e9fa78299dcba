/** Runs trials on every core: each thread takes the next trial as soon as it has finished one. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { TrialResult } from '#proof/matrix.ts'

/**
 * Runs the trials with the given numbers; calls `report` with each result as it arrives, so not in order.
 * @throws what ends a thread before its trial does
 */
export async function runTrials(
  numbers: readonly number[],
  report: (number: number, result: TrialResult) => void,
): Promise<void> {
  const waiting = [...numbers]
  const threads = Array.from({ length: Math.min(availableParallelism(), numbers.length) }, () => {
    const worker = new Worker(new URL('worker.ts', import.meta.url))
    return new Promise<void>((resolve, reject) => {
      let current: number | undefined
      const next = () => {
        current = waiting.shift()
        if (current === undefined) void worker.terminate()
        else worker.postMessage(current)
      }
      worker.on('message', (result: TrialResult) => {
        if (current !== undefined) report(current, result)
        next()
      })
      worker.on('error', reject)
      worker.on('exit', () =>
        current === undefined ? resolve() : reject(new Error(`trial ${current} ended its thread`)),
      )
      next()
    })
  })
  await Promise.all(threads)
}
