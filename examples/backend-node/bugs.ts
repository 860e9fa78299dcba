/** Bugs as teams ship them. `--bug NAME` switches one on. */
export const bugs = {
  'task-cache-before-owner': 'GET tasks/:id looks into a cache before it asks who owns the task',
  'document-cache-before-owner': 'GET documents/:id looks into a cache before it asks who owns the document',
  'run-by-id-only': 'a run finds its task by the id alone, so another organization can pay for it',
  'mark-by-number-only': 'read marks are kept by the number of a notification, without its organization',
  'current-organization-global':
    'the organization of a creation is in a variable that the next request overwrites',
  'single-flight-by-path': 'equal reads at the same moment share one answer, whoever asks',
  'defaults-mutated': 'fields that a document lacks come from the document before it',
  'or-without-parentheses': 'AND binds closer than OR: documents with an empty folder are everyone’s',
  'keys-at-most-ten': 'the eleventh key of an organization replaces its oldest',
  'unauthorized-after-limit': 'a lookup that the limiter cuts off is remembered as a refusal, once',
  'check-then-charge': 'the balance is checked, then the text is screened, then the credit is taken',
  'lost-update': 'the balance is read, then the text is screened, then one less is written',
  'balance-cached': 'whoami shows a balance that is fetched every five seconds',
  'balance-overflow': 'balances are kept in micro-credits in 32 bits',
  'refund-by-task': 'refunds are unique by task, so the second failed run of a task is not refunded',
  'refund-capped': 'a refund never lifts the balance above the fifty credits of the plan',
  'refund-restores-balance': 'a refund writes back the balance from before the run',
  'refund-after-next': 'the worker takes the next run before it refunds, and forgets the refund',
  'refusal-owed': 'what a 402 refused is charged with the next run',
  'rerun-free': 'a run of a task that has failed before counts as paid',
  'waiting-run-free': 'a run that waits is not charged when it starts',
  'conflict-charged': 'a run that is refused since the task runs already keeps its credit',
  'creative-shares-hold': 'a creative during a run uses the hold of the run',
  'paywall-cached': 'after a 402 the next ten seconds are 402 without a look at the balance',
  'queue-stops-after-failure': 'the worker leaves its loop at a failed run until the next request',
  'queue-of-one': 'the run that waits is a column of the organization, so a third overwrites the second',
  'end-by-organization': 'the end of a run finishes whatever the organization has in progress or waiting',
  'idle-before-next':
    'the agent is idle for a moment between two runs, and who asks then jumps in and ends the wait of others',
  'oldest-hundred': 'lists end after 100 rows without an order',
  'join-doubles': 'the task list joins the runs, so a task stands there once for each run',
  'list-cache-by-count': 'the task list is cached until the number of tasks changes',
  'retention-by-count': 'only the newest sixty tasks are kept',
  'same-text-same-task': 'a task with the text of an earlier one is that task',
  'upsert-by-title': 'a document with a title that exists overwrites it, whatever the case',
  'varchar-255': 'titles are cut to 255 characters',
  'folder-like': 'folders are compared by LIKE, where _ and % match anything',
  'deleted-keys-listed': 'keys are deleted softly, and the list forgets to leave them out',
  'read-up-to': 'marking a notification marks all older ones',
  'unread-of-page': 'unread counts the newest twenty only',
  'shared-transaction':
    'requests share a connection, and with it the transaction that one of them rolls back',
  'limit-after-work': 'the limiter is asked after the work is done',
} as const

/** The name of a bug. */
export type Bug = keyof typeof bugs

/** A function that returns whether a bug is switched on. */
export type Has = (bug: Bug) => boolean
