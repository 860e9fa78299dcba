/** What follows from a violation: requirements whose violations say nothing more once their cause is violated. */

interface Consequences {
  /** The id of the requirement that is violated first. */
  readonly cause: string
  /** Patterns of the requirements whose violations follow, with `*` for any letters. */
  readonly follow: readonly string[]
  /** Only violations by a wrong balance follow. */
  readonly onlyBalances?: true
  /** Only violations by a response with the status that violates the cause follow. */
  readonly onlySameStatus?: true
}

export const consequences: readonly Consequences[] = [
  { cause: 'TASK-LISTED', follow: ['TASK-LISTED-LAST', 'RUN-LISTED', 'LIST-PROMPT'] },
  {
    cause: 'DOC-ALL',
    follow: [
      'DOC-LISTED-LAST',
      'DOC-ALL-FILED',
      'DOC-UNFILED',
      'DOC-FOLDER',
      'LIST-PROMPT',
      'ACCEPTS-listDocuments',
    ],
  },
  { cause: 'TASK-READABLE', follow: ['ACCEPTS-getTask', 'RUN-ENDS', 'RUN-FINISHED-STAYS'] },
  { cause: 'BUSY-STARTS', follow: ['RUN-BESIDE'] },
  { cause: 'RUN-ENDS', follow: ['RUN-FINISHED-BY-STATUS'] },
  {
    cause: 'ERROR-STATUS',
    follow: ['*-ODD-ID', 'ANSWER-JSON', 'ERROR-BODY', 'ERROR-MESSAGE'],
    onlySameStatus: true,
  },
  { cause: 'AUTH-FIRST-getTask', follow: ['AUTH-MISSING-getTask'], onlySameStatus: true },
  { cause: 'AUTH-FIRST-getDocument', follow: ['AUTH-MISSING-getDocument'], onlySameStatus: true },
  { cause: 'TASK-UNIQUE', follow: ['LIST-IDS-UNIQUE'] },
  { cause: 'KEY-UNIQUE', follow: ['AUTH-ORGANIZATION', 'AUTH-STABLE-ORGANIZATION', 'ISOLATION-*'] },
  { cause: 'AUTH-ORGANIZATION', follow: ['AUTH-STABLE-ORGANIZATION', 'CREDITS-PROMPT'] },
  { cause: 'DOC-UNIQUE', follow: ['LIST-IDS-UNIQUE'] },
  { cause: 'KEY-ID-UNIQUE', follow: ['LIST-IDS-UNIQUE'] },
  { cause: 'DOC-READABLE', follow: ['ACCEPTS-getDocument'] },
  { cause: 'ACCEPTS-getTask', follow: ['ODD-TEXT-createTask'] },
  { cause: 'ACCEPTS-getDocument', follow: ['ODD-TEXT-createDocument'] },
  { cause: 'ANSWER-IN-STEP', follow: ['ACCEPTS-*'] },
  { cause: 'DOC-FOLDER', follow: ['QUERY-TWICE-listDocuments'] },
  { cause: 'INSIGHTS-RANGE', follow: ['QUERY-TWICE-getInsights'] },
  { cause: 'DOC-KEEPS-CONTENT_MD', follow: ['ODD-TEXT-KEPT-createDocument'] },
  { cause: 'CREDITS-RUN-COSTS-ONE', follow: ['CREDITS-PROMPT'] },
  { cause: 'CREATIVE-COSTS-ONE', follow: ['CREDITS-PROMPT'] },
  { cause: 'CREDITS-REFUND', follow: ['CREDITS-PROMPT'] },
  { cause: 'LIST-IDS-UNIQUE', follow: ['NOTIFICATION-READ-COUNT'] },
  { cause: 'RUN-REFUSED-LATER', follow: ['ISOLATION-CREDITS'], onlyBalances: true },
  { cause: 'FREE-createTask', follow: ['LIMIT-REFUSED-RUN'], onlyBalances: true },
  {
    cause: 'CREDITS-RUN-COSTS-ONE',
    follow: ['CREDITS-RESERVED', 'BUSY-COSTS', 'RUN-AGAIN', 'RUN-TWICE'],
    onlyBalances: true,
  },
  { cause: 'CREDITS-REFUND', follow: ['CREDITS-REFUND-AGAIN', 'BUSY-REFUND'] },
  { cause: 'CREDITS-REFUND-AGAIN', follow: ['BUSY-REFUND'], onlyBalances: true },
  { cause: 'RUN-AGAIN', follow: ['CREDITS-REFUND-AGAIN', 'BUSY-REFUND'], onlyBalances: true },
  { cause: 'BUSY-COSTS', follow: ['BUSY-REFUND', 'RUN-TWICE'], onlyBalances: true },
  { cause: 'KEY-DELETED-DEAD', follow: ['KEY-STAYS-DEAD'] },
  { cause: 'KEY-STAYS-DEAD', follow: ['KEY-DELETED-UNLISTED'] },
  { cause: 'KEY-WORKS', follow: ['KEY-DELETE-ONE', 'KEY-NAMESAKE', 'ISOLATION-DELETE-KEY'] },
]
