/** The notification of a run that ended. */
import type { Notification, RunOutcome } from './resources.ts'

const texts: Record<RunOutcome, readonly [type: string, title: string, body: string]> = {
  completed: ['run_completed', 'Run completed', 'has completed.'],
  failed: ['run_failed', 'Run failed', 'failed; its Work Credit was refunded.'],
}

/** Returns what the notification says; `text`: that of the task. */
export function noticeOf(outcome: RunOutcome, text: string): Pick<Notification, 'type' | 'title' | 'body'> {
  const [type, title, says] = texts[outcome]
  const excerpt = text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text
  return { type, title, body: `“${excerpt}” ${says}` }
}
