/** Runs tasks in threads: each thread takes the next task as soon as it has finished one. */
import { availableParallelism } from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'

/** What a thread does with each task that it receives, one at a time. */
export function work<Task, Result>(on: (task: Task) => Promise<Result | undefined>): void {
  parentPort?.on('message', async (task: Task) => parentPort?.postMessage(await on(task)))
}

/**
 * Runs the tasks in threads of `file`, which calls `work` there; calls `report` with each result as it arrives, so not in
 * order.
 * @throws what ends a thread before its task does
 */
export async function runInThreads<Task, Result>(
  file: string,
  tasks: readonly Task[],
  report: (task: Task, result: Result) => void,
  most = availableParallelism(),
): Promise<void> {
  const waiting = tasks.entries()
  const threads = Array.from({ length: Math.min(most, tasks.length) }, () => {
    const worker = new Worker(new URL(file))
    return new Promise<void>((resolve, reject) => {
      let current: readonly [number, Task] | undefined
      const next = () => {
        current = waiting.next().value
        if (current === undefined) void worker.terminate()
        else worker.postMessage(current[1])
      }
      worker.on('message', (result: Result) => {
        if (current !== undefined) report(current[1], result)
        next()
      })
      worker.on('error', reject)
      worker.on('exit', () =>
        current === undefined ? resolve() : reject(new Error(`task ${current[0]} ended its thread`)),
      )
      next()
    })
  })
  await Promise.all(threads)
}
