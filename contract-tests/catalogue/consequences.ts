/** The requirements that follow from a violation: theirs say nothing more once their cause is violated. */
import type { RequirementId, RequirementPattern } from '../model/requirement-id.ts'

interface Consequences {
  /** The id of the requirement that is violated first. */
  readonly cause: RequirementId
  /** Patterns of the requirements whose violations follow, with `*` for any letters. */
  readonly follow: readonly RequirementPattern[]
  /** Which of their violations: by a wrong balance, or by a response with the status that violates the cause. */
  readonly only?: 'balances' | 'same status' | undefined
}

/** The requirements that follow, by their cause. */
type Rows = Readonly<Partial<Record<RequirementId, readonly RequirementPattern[]>>>

const rowsOf = (rows: Rows, only?: Consequences['only']): Consequences[] =>
  (Object.keys(rows) as RequirementId[]).map((cause) => ({ cause, follow: rows[cause] ?? [], only }))

/** Which violations follow from which others, by requirement id, so that one cause is reported once. */
export const consequencesByCause: readonly Consequences[] = [
  ...rowsOf({
    'TASK-LISTED': [
      'TASK-LISTED-LAST',
      'TASK-CREATED-ONCE',
      'RUN-LISTED',
      'RUN-LISTED-RUNNING',
      'LIST-PROMPT',
    ],
    'TASK-LISTED-LAST': ['LIST-PROMPT'],
    'DOC-LISTED-LAST': ['LIST-PROMPT'],
    'DOC-ALL': [
      'DOC-LISTED-LAST',
      'DOC-ALL-FILED',
      'DOC-UNFILED',
      'DOC-FOLDER',
      'LIST-PROMPT',
      'ACCEPTS-listDocuments',
    ],
    'TASK-READABLE': ['RUN-ENDS', 'RUN-FINISHED-STAYS', 'TASK-LISTED', 'TASK-LISTED-LAST'],
    'BUSY-ANSWER': ['RUN-LISTED-STATUS'],
    'BUSY-STARTS': ['RUN-BESIDE', 'NO-CREDITS-RECOVERS'],
    'RUN-ACCEPTED': ['PATH-RUN-ONCE', 'RUN-COSTS-AT-ONCE'],
    'RUN-IN-PROGRESS-UNFINISHED': ['RUN-LISTED-STATUS'],
    'RUN-ENDS': ['RUN-FINISHED-BY-STATUS'],
    'TASK-UNIQUE': ['LIST-IDS-UNIQUE', 'TASK-CREATED-ONCE', 'TASK-LISTED-SAME'],
    'KEY-LISTED': ['LIST-PROMPT'],
    'LANDING-PAGE-LISTED': ['LIST-PROMPT'],
    'ACCEPTS-readNotification': ['NOTIFICATION-UNKNOWN'],
    'AUTH-MISSING-readNotification': ['NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT'],
    'NOTIFICATION-READ': ['NOTIFICATION-READ-AGAIN', 'NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT'],
    'NOTIFICATION-READ-AGAIN': ['NOTIFICATION-READ-COUNT'],
    'NOTIFICATION-STAYS-READ': ['NOTIFICATION-READ', 'NOTIFICATION-READ-COUNT'],
    'KEY-UNIQUE': ['KEY-DELETED-DEAD', 'AUTH-ORGANIZATION', 'AUTH-STABLE-ORGANIZATION', 'ISOLATION-*'],
    'AUTH-ORGANIZATION': ['AUTH-STABLE-ORGANIZATION', 'CREDITS-PROMPT'],
    'DOC-UNIQUE': ['LIST-IDS-UNIQUE', 'DOC-CREATED-ONCE', 'DOC-LISTED-SAME'],
    'KEY-ID-UNIQUE': ['LIST-IDS-UNIQUE', 'LIST-PROMPT', 'KEY-DELETED-DEAD'],
    'DOC-READABLE': ['DOC-ALL', 'DOC-LISTED-LAST'],
    'ACCEPTS-getTask': ['ODD-TEXT-createTask'],
    'ACCEPTS-getDocument': ['ODD-TEXT-createDocument'],
    'ODD-TEXT-createDocument': ['ODD-FIELDS-createDocument'],
    'DOC-FOLDER': ['QUERY-TWICE-listDocuments', 'QUERY-MALFORMED-listDocuments'],
    'INSIGHTS-RANGE': ['QUERY-TWICE-getInsights'],
    'DOC-KEEPS-CONTENT_MD': ['ODD-TEXT-KEPT-createDocument'],
    'CREDITS-RUN-COSTS-ONE': ['CREDITS-PROMPT', 'RUN-COSTS-AT-ONCE'],
    'BUSY-COSTS': ['RUN-COSTS-AT-ONCE'],
    'CREATIVE-COSTS-ONE': ['CREDITS-PROMPT', 'CREATIVE-COSTS-AT-ONCE'],
    'CREDITS-REFUND': [
      'CREDITS-PROMPT',
      'CREDITS-REFUND-AGAIN',
      'CREDITS-REFUND-EACH',
      'CREDITS-REFUND-OTHER',
      'BUSY-REFUND',
    ],
    'ISOLATION-READ-NOTIFICATION': ['NOTIFICATION-NEW-COUNTED'],
    'LIST-IDS-UNIQUE': ['NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT', 'NOTIFICATION-STAYS-READ'],
    'NOTIFICATION-STAYS-UNREAD': [
      'ISOLATION-UNREAD',
      'NOTIFICATION-READ-ONE',
      'NOTIFICATION-NEW-COUNTED',
      'NOTIFICATION-READ-COUNT',
    ],
    'ISOLATION-UNREAD': ['NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT'],
    'NOTIFICATION-LISTED': ['NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT'],
    'NOTIFICATION-NEW-COUNTED': ['NOTIFICATION-READ-COUNT'],
    'NOTIFICATION-UNREAD-COUNT': ['NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT'],
    'ISOLATION-LIST-NOTIFICATIONS': ['ISOLATION-UNREAD', 'NOTIFICATION-NEW-COUNTED'],
    'NOTIFICATION-READ-ONE': ['NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT'],
    'KEY-DELETED-DEAD': ['KEY-STAYS-DEAD', 'KEY-DELETED-UNLISTED'],
    'KEY-STAYS-DEAD': ['KEY-DELETED-UNLISTED'],
    'KEY-WORKS': [
      'KEY-DELETE-ONE',
      'KEY-NAMESAKE',
      'ISOLATION-DELETE-KEY',
      'AUTH-REFUSED-DELETION',
      'UNAVAILABLE-UNARRANGED',
      'RUN-AGAIN',
    ],
  }),
  ...rowsOf(
    {
      'RUN-REFUSED-LATER': ['ISOLATION-CREDITS'],
      'ISOLATION-CREDITS': ['RUN-TWICE', 'LIMIT-REFUSED-RUN', 'UNAVAILABLE-RUN'],
      'CREATIVE-REFUSED-FREE': [
        'CREDITS-RUN-COSTS-ONE',
        'ISOLATION-CREDITS',
        'LIMIT-REFUSED-RUN',
        'UNAVAILABLE-RUN',
      ],
      'FREE-createTask': ['LIMIT-REFUSED-RUN', 'RUN-AGAIN', 'RUN-TWICE'],
      'FREE-createDocument': ['RUN-AGAIN'],
      'FREE-whoami': ['RUN-AGAIN'],
      'FREE-listTasks': ['CREDITS-RUN-COSTS-ONE'],
      'CREDITS-RUN-COSTS-ONE': ['CREDITS-RESERVED', 'BUSY-COSTS', 'RUN-AGAIN', 'RUN-TWICE'],
      'CREDITS-REFUND-ONCE': [
        'CREDITS-REFUND-AGAIN',
        'CREDITS-REFUND-EACH',
        'CREDITS-REFUND-OTHER',
        'BUSY-REFUND',
      ],
      'CREDITS-REFUND-AGAIN': ['CREDITS-REFUND-EACH', 'CREDITS-REFUND-OTHER', 'BUSY-REFUND'],
      'BUSY-REFUND': ['CREDITS-REFUND-EACH', 'CREDITS-REFUND-OTHER'],
      'CREDITS-REFUND-EACH': ['CREDITS-REFUND-OTHER'],
      'RUN-AGAIN': ['CREDITS-REFUND-AGAIN', 'BUSY-COSTS', 'BUSY-REFUND'],
      'BUSY-COSTS': ['BUSY-REFUND', 'CREDITS-REFUND-OTHER', 'RUN-TWICE'],
      'CREATIVE-COSTS-ONE': ['CREATIVE-REFUND'],
      'FREE-deleteKey': ['CREDITS-REFUND-AGAIN', 'BUSY-REFUND'],
    },
    'balances',
  ),
  ...rowsOf(
    {
      'ERROR-STATUS': ['*-ODD-ID', 'ANSWER-JSON'],
      'UNAVAILABLE-OVER': ['LIMIT-*', 'ODD-ACCEPT-whoami'],
      'AUTH-FIRST-getTask': ['AUTH-MISSING-getTask'],
      'AUTH-FIRST-getDocument': ['AUTH-MISSING-getDocument'],
    },
    'same status',
  ),
]
