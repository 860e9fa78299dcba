/** §3.2, §4, §5.3: lists, balances and deletions of keys that show too late, or later than at once. */
import {
  lateBalance,
  lateDeletion,
  lateDocuments,
  lateKeyList,
  lateLandingPages,
  lateTasks,
} from '../mutations/lateness.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** More than the time in which an effect may show, ms. */
const tooLate = 3_000

const late = (id: string, title: string, breaks: readonly string[], mutate: () => Mutation): Defect => ({
  id,
  title,
  breaks,
  mutate,
})

export const lateEffects: readonly Defect[] = [
  late('late-task', 'A new task is listed after 3 s.', ['TASK-LISTED'], () => lateTasks(tooLate)),
  late('late-document', 'A new document is listed after 3 s.', ['DOC-ALL'], () => lateDocuments(tooLate)),
  late('late-landing-page', 'A new landing page is listed after 3 s.', ['LANDING-PAGE-LISTED'], () =>
    lateLandingPages(tooLate),
  ),
  late('late-key', 'A new key is listed after 3 s.', ['KEY-LISTED'], () => lateKeyList(tooLate)),
  late(
    'late-balance-6s',
    'The balance follows after 6 s.',
    ['CREDITS-RUN-COSTS-ONE', 'CREATIVE-COSTS-ONE'],
    () => lateBalance(6_000),
  ),
  late('late-balance-300ms', 'The balance follows after 300 ms.', ['CREDITS-PROMPT'], () => lateBalance(300)),
  late('late-deletion-3s', 'A deleted key is accepted for another 3 s.', ['KEY-DELETED-DEAD'], () =>
    lateDeletion(tooLate),
  ),
  late('late-deletion-300ms', 'A deleted key is accepted for 300 ms.', ['KEY-DELETED-PROMPT'], () =>
    lateDeletion(300),
  ),
  late(
    'late-deletion-of-the-oldest',
    'A deleted key is accepted for another minute, unless it is one of the two newest.',
    ['KEY-DELETED-DEAD'],
    () => lateDeletion(60_000, (key, org) => !org.keys.newest(2, ({ deleted }) => !deleted).includes(key)),
  ),
  {
    id: 'late-read-task',
    title: 'A new task is not found by its id for 300 ms.',
    breaks: ['TASK-READABLE'],
    mutate: () =>
      handle('getTask', (call, usual) => {
        const made = call.org.tasks.get(call.id)?.created_at ?? 0
        return usual(call.now - made < 300 ? { ...call, id: 'none' } : call)
      }),
  },
]
