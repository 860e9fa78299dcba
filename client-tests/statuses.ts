/** The status in an answer about a task, and whether a client may not know it. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { answerOf, isSuccess } from './entries.ts'

/** Statuses that a client may know; any other one is a quirk. */
const familiar = new Set<unknown>(['pending', 'queued', 'in_progress', 'completed', 'failed'])

/** The status in an answer about one task; undefined: none. */
export function statusIn(entry: JournalEntry): unknown {
  const { task, status } = answerOf(entry)
  return typeof task === 'object' && task !== null ? Reflect.get(task, 'status') : status
}

/** Whether an answer about one task shows a status that a client cannot know. */
export function isStrange(entry: JournalEntry): boolean {
  const status = isSuccess(entry) ? statusIn(entry) : undefined
  return status !== undefined && !familiar.has(status)
}
