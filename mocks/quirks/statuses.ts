/** Names of statuses that no client has seen before: §3 shows only `in_progress`. */

/** The mock's own names, and in their place … */
const usual = ['pending', 'queued', 'in_progress', 'completed', 'failed']

export const vocabularies: readonly [readonly string[], ...(readonly string[])[]] = [
  ['drafted', 'lined_up', 'in_progress', 'delivered', 'gave_up'],
  ['NEW', 'QUEUED', 'RUNNING', 'DONE', 'ERROR'],
  ['new', 'waiting for the agent', 'being worked on', 'done ✔', 'not done ✘'],
  ['10', '20', '30', '40', '50'],
  ['task.created', 'task.waiting', 'in_progress', 'task.archived', 'task.archived'],
  ['待機中', '順番待ち', '作業中', '完了', '失敗'],
  ['in_review', 'in_review', 'in_progress', 'completed', 'cancelled'],
]

/** The name of a status in a vocabulary. */
export function renamed(vocabulary: readonly string[], status: unknown): unknown {
  return vocabulary[usual.indexOf(String(status))] ?? status
}
