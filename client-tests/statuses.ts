/** The status that an answer about a task shows, and whether a client can have heard of it. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { answerOf, isSuccess } from './entries.ts'

/** Those that anybody would guess; every other one is a quirk. */
const familiar = new Set<unknown>(['pending', 'queued', 'in_progress', 'completed', 'failed'])

/** The status in an answer about one task; undefined: none. */
export function statusIn(entry: JournalEntry): unknown {
  const { task, status } = answerOf(entry)
  return typeof task === 'object' && task !== null ? Reflect.get(task, 'status') : status
}

/** Whether an answer about one task shows a status that a client cannot have heard of. */
export function isStrange(entry: JournalEntry): boolean {
  const status = isSuccess(entry) ? statusIn(entry) : undefined
  return status !== undefined && !familiar.has(status)
}
