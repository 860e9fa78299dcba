/** §3 States and transitions. */
import type { Sentence } from './sentence.ts'

export const states: readonly Sentence[] = [
  {
    section: '§3',
    text: 'Task status values seen: in_progress (returned by run when the work is still going).',
    requirements: ['SHAPE-runTask', 'RUN-IN-PROGRESS-UNFINISHED'],
    note: 'No other status is named, and a status that passes need not be seen.',
  },
  {
    section: '§3',
    text: 'Full list of status values: not shown.',
    reason: 'No status but in_progress is ever named by the suite.',
  },
  {
    section: '§3',
    text: '(task exists) | POST /api/cli/tasks/:id/run | credit available | in_progress (usual) | one credit is reserved; refunded if the run fails',
    requirements: [
      'RUN-ACCEPTED',
      'RUN-AGAIN',
      'NO-CREDITS-RECOVERS',
      'CREDITS-RESERVED',
      'CREDITS-ATOMIC',
      'CREDITS-REFUND',
      'CREDITS-REFUND-AGAIN',
    ],
    note: 'in_progress is the usual next state, not the only one.',
  },
  {
    section: '§3',
    text: '(task exists) | POST /api/cli/tasks/:id/run | no credit | unchanged | 402 with error no_credits',
    requirements: [
      'NO-CREDITS-REFUSED',
      'NO-CREDITS-UNCHANGED',
      'NO-CREDITS-BALANCE',
      'NO-CREDITS-NOT-QUEUED',
      'CREDITS-ATOMIC',
    ],
  },
  {
    section: '§3',
    text: 'Transitions: not shown beyond the rows above.',
    reason: 'The way from one status to the next is free.',
  },
  {
    section: '§3.1',
    text: 'The client polls GET /api/cli/tasks/:id and reads finished; the client does not keep its own list of final statuses.',
    requirements: [
      'RUN-ENDS',
      'RUN-BESIDE',
      'RUN-FINISHED-STAYS',
      'BUSY-FINISHED-STAYS',
      'CREDITS-FAILED-FINISHED',
      'TASK-NEW-UNFINISHED',
    ],
  },
  {
    section: '§3.2',
    text: 'A run reserves a credit, runs, and refunds the credit on failure.',
    requirements: [
      'CREDITS-RESERVED',
      'CREDITS-RUN-COSTS-ONE',
      'CREDITS-REFUND',
      'CREDITS-REFUND-ONCE',
      'CREDITS-REFUND-AGAIN',
      'BUSY-REFUND',
      'RUN-TWICE',
      'CREDITS-NEVER-NEGATIVE',
      'BUSY-COSTS',
    ],
  },
  {
    section: '§3.3',
    text: 'When the agent is busy with other work, a run request answers 409 with error busy; the run then starts right after.',
    requirements: [
      'BUSY-ANSWER',
      'BUSY-STARTS',
      'BUSY-FINISHED-STAYS',
      'BUSY-COSTS',
      'BUSY-REFUND',
      'RUN-BESIDE',
    ],
    note: 'A service that is never busy is legitimate.',
  },
  {
    section: '§3.4',
    text: "A notification's read is false until POST /api/cli/notifications/:id/read sets it to true.",
    requirements: [
      'NOTIFICATION-NEW-UNREAD',
      'NOTIFICATION-STAYS-UNREAD',
      'NOTIFICATION-READ',
      'NOTIFICATION-STAYS-READ',
      'NOTIFICATION-READ-COUNT',
      'NOTIFICATION-READ-ONE',
      'NOTIFICATION-READ-AGAIN',
      'ISOLATION-READ-NOTIFICATION',
    ],
  },
]
