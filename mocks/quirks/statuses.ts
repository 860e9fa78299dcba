/** Names of statuses that no client has seen before: only `in_progress` is published (§3). */
import type { Quirk } from './quirk.ts'
import { inOrder, rewriteField } from './rewrites.ts'

/** The mock's own names. Each vocabulary has a name for each of them. */
const usual = ['pending', 'queued', 'in_progress', 'completed', 'failed']

const vocabulary = (id: string, title: string, words: string, share = 1 / 7): Quirk => {
  const names = words.split(', ')
  const rename = (status: unknown) => names[usual.indexOf(String(status))] ?? status
  return {
    id: `status-${id}`,
    title,
    allowed: '#status-names: the names are unpublished.',
    group: 'status names',
    share,
    rewrite: inOrder(
      rewriteField('task.status', rename, 'createTask', 'getTask'),
      rewriteField('items.*.status', rename, 'listTasks'),
      rewriteField('status', rename, 'runTask'),
    ),
  }
}

const oneFinal = 'A task has the same final status whether its run failed or not.'
const waitingAsNew = 'A task whose run waits has the status of a new task.'
const unchanged = 'A task keeps the status of a new task until its run ends.'

export const statuses: readonly Quirk[] = [
  vocabulary('names', 'Statuses have names in capital letters.', 'NEW, QUEUED, RUNNING, DONE, ERROR'),
  vocabulary('words', 'Statuses are other words.', 'drafted, lined_up, in_progress, delivered, gave_up'),
  vocabulary(
    'phrases',
    'Statuses are phrases.',
    'new, waiting for the agent, being worked on, done ✔, not done ✘',
  ),
  vocabulary('digits', 'Statuses are digits.', '10, 20, 30, 40, 50'),
  vocabulary('japanese', 'Statuses are in Japanese.', '待機中, 順番待ち, 作業中, 完了, 失敗'),
  vocabulary('one-final', oneFinal, 'task.created, task.waiting, in_progress, task.archived, task.archived'),
  vocabulary('waiting-as-new', waitingAsNew, 'in_review, in_review, in_progress, completed, cancelled'),
  vocabulary('made-up', 'Statuses are made-up words.', 'wexil, drumpo, in_progress, quoval, brizmet', 0),
  vocabulary('queued-as-new', unchanged, 'pending, pending, pending, completed, failed', 0),
]
