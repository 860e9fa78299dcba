/** Runs tasks in threads: each thread takes the next task as soon as it has finished one. */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'
import pLimit, { type LimitFunction } from 'p-limit'

/**
 * Shows a progress line, which the next one replaces, if standard error is a terminal; without a text, other output may
 * replace it.
 */
export function showProgressLine(text = ''): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text && `${text} `}`)
}

/** Handles the tasks that a worker thread receives, one at a time. */
export function handleTasks<Task, Result>(on: (task: Task) => Promise<Result | undefined>): void {
  parentPort?.on('message', async (task: Task) => parentPort?.postMessage(await on(task)))
}

/**
 * Runs tasks in worker threads whose program `file` calls `handleTasks`; calls `report` with each result as it arrives,
 * in any order. @throws Error if a thread ends before its task does.
 */
export async function runInThreads<Task, Result>(
  file: string,
  tasks: readonly Task[],
  report: (task: Task, result: Result) => void,
  most = availableParallelism(),
): Promise<void> {
  const start = () => {
    const worker = new Worker(new URL(file))
    return { worker, ended: once(worker, 'exit').then(() => undefined) }
  }
  const [limit, idle]: [LimitFunction, ReturnType<typeof start>[]] = [pLimit(most), []]
  const runOne = async (task: Task, number: number) => {
    const thread = idle.pop() ?? start()
    thread.worker.postMessage(task)
    const message = await Promise.race([once(thread.worker, 'message'), thread.ended])
    if (!message) throw new Error(`task ${number} ended its thread`)
    idle.push(thread)
    report(task, message[0])
  }
  await Promise.all(tasks.map((task, number) => limit(runOne, task, number)))
  for (const { worker } of idle) void worker.terminate()
}
