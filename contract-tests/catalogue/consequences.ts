/** What follows from a violation: requirements whose violations say nothing more once their cause is violated. */

interface Consequences {
  /** The id of the requirement that is violated first. */
  readonly cause: string
  /** Patterns of the requirements whose violations follow, with `*` for any letters. */
  readonly follow: readonly string[]
  /** Which of their violations: by a wrong balance, or by a response with the status that violates the cause. */
  readonly only?: 'balances' | 'same status' | undefined
}

/** By the cause: what follows, separated by spaces. */
type Rows = Readonly<Record<string, string>>

const rowsOf = (rows: Rows, only?: Consequences['only']): Consequences[] =>
  Object.entries(rows).map(([cause, follow]) => ({ cause, follow: follow.split(' '), only }))

export const consequences: readonly Consequences[] = [
  ...rowsOf({
    'TASK-LISTED': 'TASK-LISTED-LAST RUN-LISTED RUN-LISTED-RUNNING LIST-PROMPT',
    'DOC-ALL': 'DOC-LISTED-LAST DOC-ALL-FILED DOC-UNFILED DOC-FOLDER LIST-PROMPT ACCEPTS-listDocuments',
    'TASK-READABLE': 'ACCEPTS-getTask RUN-ENDS RUN-FINISHED-STAYS TASK-LISTED TASK-LISTED-LAST',
    'BUSY-STARTS': 'RUN-BESIDE NO-CREDITS-RECOVERS',
    'RUN-ENDS': 'RUN-FINISHED-BY-STATUS',
    'TASK-UNIQUE': 'LIST-IDS-UNIQUE TASK-CREATED-ONCE',
    'KEY-UNIQUE': 'KEY-DELETED-DEAD AUTH-ORGANIZATION AUTH-STABLE-ORGANIZATION ISOLATION-*',
    'AUTH-ORGANIZATION': 'AUTH-STABLE-ORGANIZATION CREDITS-PROMPT',
    'DOC-UNIQUE': 'LIST-IDS-UNIQUE DOC-CREATED-ONCE',
    'KEY-ID-UNIQUE': 'LIST-IDS-UNIQUE KEY-DELETED-DEAD',
    'DOC-READABLE': 'ACCEPTS-getDocument DOC-ALL DOC-LISTED-LAST',
    'ACCEPTS-getTask': 'ODD-TEXT-createTask',
    'ACCEPTS-getDocument': 'ODD-TEXT-createDocument',
    'ODD-TEXT-createDocument': 'ODD-FIELDS-createDocument',
    'ANSWER-IN-STEP': 'ACCEPTS-*',
    'DOC-FOLDER': 'QUERY-TWICE-listDocuments QUERY-MALFORMED-listDocuments',
    'INSIGHTS-RANGE': 'QUERY-TWICE-getInsights',
    'DOC-KEEPS-CONTENT_MD': 'ODD-TEXT-KEPT-createDocument',
    'CREDITS-RUN-COSTS-ONE': 'CREDITS-PROMPT',
    'CREATIVE-COSTS-ONE': 'CREDITS-PROMPT',
    'CREDITS-REFUND': 'CREDITS-PROMPT CREDITS-REFUND-AGAIN BUSY-REFUND',
    'LIST-IDS-UNIQUE': 'NOTIFICATION-READ-COUNT',
    'NOTIFICATION-STAYS-UNREAD': 'ISOLATION-UNREAD',
    'ISOLATION-LIST-NOTIFICATIONS': 'ISOLATION-UNREAD',
    'NOTIFICATION-READ-ONE': 'NOTIFICATION-NEW-COUNTED',
    'KEY-DELETED-DEAD': 'KEY-STAYS-DEAD',
    'KEY-STAYS-DEAD': 'KEY-DELETED-UNLISTED',
    'KEY-WORKS':
      'KEY-DELETE-ONE KEY-NAMESAKE ISOLATION-DELETE-KEY AUTH-REFUSED-DELETION UNAVAILABLE-UNARRANGED RUN-AGAIN',
  }),
  ...rowsOf(
    {
      'RUN-REFUSED-LATER': 'ISOLATION-CREDITS',
      'ISOLATION-CREDITS': 'RUN-TWICE LIMIT-REFUSED-RUN UNAVAILABLE-RUN',
      'CREATIVE-REFUSED-FREE': 'CREDITS-RUN-COSTS-ONE ISOLATION-CREDITS LIMIT-REFUSED-RUN UNAVAILABLE-RUN',
      'FREE-createTask': 'LIMIT-REFUSED-RUN RUN-AGAIN RUN-TWICE',
      'FREE-createDocument': 'RUN-AGAIN',
      'FREE-whoami': 'RUN-AGAIN',
      'FREE-listTasks': 'CREDITS-RUN-COSTS-ONE',
      'CREDITS-RUN-COSTS-ONE': 'CREDITS-RESERVED BUSY-COSTS RUN-AGAIN RUN-TWICE',
      'CREDITS-REFUND-ONCE': 'BUSY-REFUND',
      'CREDITS-REFUND-AGAIN': 'BUSY-REFUND',
      'RUN-AGAIN': 'CREDITS-REFUND-AGAIN BUSY-COSTS BUSY-REFUND',
      'BUSY-COSTS': 'BUSY-REFUND RUN-TWICE',
      'CREATIVE-COSTS-ONE': 'CREATIVE-REFUND',
      'FREE-deleteKey': 'CREDITS-REFUND-AGAIN BUSY-REFUND',
    },
    'balances',
  ),
  ...rowsOf(
    {
      'ERROR-STATUS': '*-ODD-ID ANSWER-JSON',
      'UNAVAILABLE-OVER': 'LIMIT-*',
      'AUTH-FIRST-getTask': 'AUTH-MISSING-getTask',
      'AUTH-FIRST-getDocument': 'AUTH-MISSING-getDocument',
    },
    'same status',
  ),
]
