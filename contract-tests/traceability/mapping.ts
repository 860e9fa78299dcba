/**
 * What each rule of docs/specification.md leads to, by its anchor and in its order: ids of requirements, divided by
 * spaces, in which `*` stands for any letters; or the reason why there is none.
 */
type Traced = string | { readonly reason: string }

const unnamed = { reason: 'A field without a name cannot be asked for.' }
const aboutClients = { reason: 'It is about clients, not about the service.' }
const unpublished = { reason: 'There is nothing to hold a service to.' }

export const mapping: Readonly<Record<string, Traced>> = {
  // §1
  'service-purpose': 'ACCEPTS-createTask TASK-TEXT-* RUN-ACCEPTED',
  'runs-cost-credits': 'CREDITS-RUN-COSTS-ONE',
  'organization-by-credential': 'AUTH-*ORGANIZATION* ISOLATION-* KEY-WORKS KEY-CREDITS',
  'limits-everywhere': 'LIMIT-*',
  'billing-unavoidable': 'NO-CREDITS-REFUSED NO-CREDITS-CREATIVE *-ATOMIC *-COSTS-ONE BUSY-COSTS',
  'asynchronous-work': { reason: 'A service whose runs end at once is legitimate.' },
  'base-url': { reason: 'The operator tells the suite the base URL, which may be any.' },
  'client-base-url': aboutClients,
  'command-per-route': aboutClients,
  'scope-differs': {
    reason: 'A service may follow either variant; extended routes are judged by §4 where they are offered.',
  },
  'core-set-required':
    'ACCEPTS-whoami ACCEPTS-*Key* ACCEPTS-*Task* ACCEPTS-*Document* ACCEPTS-*Notification* RUN-ACCEPTED EXTENDED-OFFERED',
  'no-payments': { reason: 'A route that does not exist cannot be asked for; unknown paths are not tested.' },
  'billing-reads-only': 'FREE-getWallet FREE-getBilling',
  'cost-none': 'FREE-* NO-CREDITS-FREE-ROUTES',
  'cost-one': 'CREDITS-RESERVED *-COSTS-ONE',

  // §2
  ids: 'LIST-IDS-UNIQUE TASK-UNIQUE DOC-UNIQUE KEY-ID-UNIQUE RUN-ID-UNIQUE CREATIVE-UNIQUE',
  'texts-kept': 'TASK-TEXT-* DOC-TEXT-* DOC-KEEPS-* DOC-CONTENT-LONG DOC-TITLE-SPACES ODD-TEXT-KEPT-*',
  'org-id': 'SHAPE-whoami AUTH-ORGANIZATION AUTH-STABLE-ORGANIZATION',
  'org-name': 'SHAPE-whoami',
  'org-plan': 'SHAPE-whoami',
  'org-credits': 'SHAPE-whoami RUN-ACCEPTED CREATIVE-ACCEPTED CREDITS-RESERVED CREDITS-NEVER-NEGATIVE',
  'key-value': 'SHAPE-createKey',
  'key-secret': 'SHAPE-createKey KEY-WORKS KEY-UNIQUE KEY-SECRET-ONCE',
  'key-id': 'SHAPE-listKeys KEY-ID-UNIQUE LIST-IDS-UNIQUE KEY-DELETE-ONE',
  'key-name': 'SHAPE-listKeys KEY-NAME',
  'key-prefix': 'SHAPE-listKeys KEY-PREFIX',
  'key-last-used': 'SHAPE-listKeys KEY-LAST-USED',
  'key-other-fields': unnamed,
  'task-fields':
    'SHAPE-*Task SHAPE-listTasks TASK-READABLE TASK-LISTED-SAME RUN-KEEPS-TASK RUN-LISTED-STATUS',
  'task-times': unnamed,
  'task-finished':
    'SHAPE-getTask TASK-NEW-UNFINISHED RUN-FINISHED-BY-STATUS RUN-IN-PROGRESS-UNFINISHED RUN-ANSWER-FINISHED',
  'run-names-task': 'SHAPE-runTask RUN-TASK-ID',
  'run-names-itself': 'SHAPE-runTask RUN-ID-UNIQUE',
  'task-usage': 'SHAPE-listTasks',
  'task-credits': 'SHAPE-listTasks SHAPE-createTask CREDITS-IN-*',
  'document-input':
    'ACCEPTS-createDocument DOC-FIELDS-ACCEPTED DOC-KEEPS-* DOC-TEXT-* INPUT-*-createDocument',
  'document-item': 'SHAPE-*Document* DOC-READABLE DOC-ANSWER-* DOC-LISTED-SAME DOC-KEEPS-* DOC-UNIQUE',
  'document-other-fields': unnamed,
  'notification-list':
    'SHAPE-listNotifications NOTIFICATION-UNREAD-COUNT NOTIFICATION-NEW-COUNTED NOTIFICATION-READ-COUNT',
  'notification-flag': 'SHAPE-listNotifications NOTIFICATION-NEW-UNREAD NOTIFICATION-READ',
  'notification-other-fields': unnamed,
  'prospect-fields': 'SHAPE-listLeads LEADS-FIELDS',
  'leads-connected': 'SHAPE-listLeads',
  'creative-fields': 'SHAPE-generateCreative CREATIVE-HOSTED CREATIVE-UNIQUE',
  'landing-page-fields': 'SHAPE-createLandingPage LANDING-PAGE-LISTED-SAME',
  'opaque-objects': 'SHAPE-listCampaigns SHAPE-getInsights SHAPE-getWallet SHAPE-getBilling',

  // §3
  'status-in-progress': 'SHAPE-runTask RUN-IN-PROGRESS-UNFINISHED TASK-NEW-IDLE',
  'status-names': { reason: 'The suite names no other status.' },
  'run-with-credit':
    'RUN-ACCEPTED RUN-AGAIN NO-CREDITS-RECOVERS CREDITS-RESERVED CREDITS-ATOMIC CREDITS-REFUND*',
  'run-without-credit':
    'NO-CREDITS-REFUSED NO-CREDITS-UNCHANGED NO-CREDITS-BALANCE NO-CREDITS-NOT-QUEUED CREDITS-ATOMIC',
  'other-transitions': { reason: 'A service may go from one status to another in any way.' },
  'poll-until-finished': 'RUN-ENDS RUN-BESIDE CREDITS-FAILED-FINISHED',
  'finished-stays': 'RUN-FINISHED-STAYS BUSY-FINISHED-STAYS TASK-NEW-UNFINISHED',
  'run-reserves': 'CREDITS-RESERVED CREDITS-PROMPT CREDITS-RUN-COSTS-ONE CREDITS-NEVER-NEGATIVE BUSY-COSTS',
  'run-refund': 'CREDITS-REFUND* BUSY-REFUND',
  'run-already-active': 'RUN-TWICE CREDITS-REFUSED-RUN RUN-REFUSED-LATER',
  'busy-answer': 'BUSY-ANSWER',
  'busy-starts': 'BUSY-STARTS BUSY-FINISHED-STAYS BUSY-COSTS BUSY-REFUND RUN-BESIDE',
  'notification-marking':
    'NOTIFICATION-NEW-UNREAD NOTIFICATION-STAYS-* NOTIFICATION-READ* ISOLATION-READ-NOTIFICATION',

  // §4
  'json-only': 'ANSWER-JSON ANSWER-IN-STEP INPUT-MALFORMED-* INPUT-EMPTY-* INPUT-NOT-OBJECT-*',
  'odd-input': '*-ODD-ID QUERY-TWICE-* DEEP-BODY-* ODD-TEXT-* ODD-FIELDS-*',
  'malformed-input': 'AUTH-MALFORMED QUERY-MALFORMED-* MALFORMED-ID-* ODD-TEXT-* ODD-FIELDS-*',
  'success-status': 'ACCEPTS-* RUN-ACCEPTED CREATIVE-ACCEPTED',
  'errors-by-section-7': 'ERROR-*',
  'key-by-default': 'AUTH-MISSING-* AUTH-INVALID-* AUTH-SESSION-* AUTH-KEY-*',
  'list-contents':
    'TASK-LISTED* RUN-LISTED* DOC-ALL DOC-LISTED-LAST LIST-PROMPT KEY-LISTED LANDING-PAGE-LISTED NOTIFICATION-LISTED ISOLATION-LIST-*',
  whoami: '*-whoami KEY-CREDITS',
  'create-key': '*-createKey KEY-WORKS KEY-NAME KEY-SECRET-ONCE KEY-LISTED KEY-CREATED-ONCE',
  'list-keys': '*-listKeys KEY-LISTED',
  'delete-key': '*-deleteKey KEY-DELETE*',
  'list-tasks': '*-listTasks TASK-LISTED* RUN-LISTED ISOLATION-LIST-TASKS',
  'create-task': '*-createTask TASK-ANSWER-TEXT TASK-CREATED-ONCE TASK-TEXT-* TASK-READABLE TASK-LISTED*',
  'get-task': '*-getTask TASK-READABLE',
  'run-task': '*-runTask RUN-TASK-ID RUN-OK RUN-ANSWER-FINISHED NO-CREDITS-REFUSED CREDITS-RUN-COSTS-ONE',
  variants: 'VARIANT-CONSISTENT SHAPE-listTasks SHAPE-createTask SHAPE-runTask',
  'list-documents':
    '*-listDocuments DOC-ALL* DOC-LISTED-LAST DOC-UNFILED DOC-FOLDER* ISOLATION-LIST-DOCUMENTS ISOLATION-LIST-*FILED',
  'get-document': '*-getDocument DOC-READABLE DOC-KEEPS-*',
  'create-document':
    '*-createDocument DOC-FIELDS-ACCEPTED DOC-CREATED-ONCE DOC-ANSWER-TITLE DOC-TEXT-* DOC-CONTENT-LONG DOC-TITLE-SPACES',
  'document-kinds': { reason: 'No kind is known to be accepted, so the suite sends none.' },
  'list-notifications': '*-listNotifications NOTIFICATION-LISTED ISOLATION-LIST-NOTIFICATIONS',
  'read-notification': '*-readNotification NOTIFICATION-READ-OK NOTIFICATION-UNKNOWN NOTIFICATION-ODD-ID',
  'list-leads': '*-listLeads LEADS-FIELDS',
  'generate-creative': '*-generateCreative CREATIVE-* NO-CREDITS-CREATIVE',
  'list-landing-pages': '*-listLandingPages LANDING-PAGE-LISTED* ISOLATION-LIST-LANDING-PAGES',
  'create-landing-page': '*-createLandingPage',
  'list-campaigns': '*-listCampaigns',
  'get-insights': '*-getInsights INSIGHTS-RANGE',
  'get-wallet': '*-getWallet',
  'get-billing': '*-getBilling',
  'creative-cost': 'CREATIVE-ACCEPTED CREATIVE-COSTS-ONE CREATIVE-ATOMIC CREATIVE-HOSTED CREATIVE-REFUND',
  'creative-options': 'ODD-FIELDS-generateCreative',
  'insights-ranges': 'INSIGHTS-RANGE',
  'extended-reads-only': 'FREE-listCampaigns FREE-getInsights FREE-getWallet FREE-getBilling',

  // §5
  'bearer-header': 'AUTH-MISSING-* AUTH-SESSION-* AUTH-MALFORMED AUTH-SCHEME AUTH-HEADER AUTH-QUERY',
  'bearer-case': 'AUTH-SCHEME-CASE',
  'organization-from-key': 'AUTH-*ORGANIZATION* ISOLATION-*',
  'unauthorized-first':
    'AUTH-MISSING-* AUTH-INVALID-* AUTH-MALFORMED AUTH-FIRST-* AUTH-REFUSED-* AUTH-AS-KEY KEY-WHOLE KEY-ONLY-SECRET ERROR-CODE-401',
  'deleted-key': 'KEY-DELETED-DEAD KEY-DELETED-PROMPT KEY-STAYS-DEAD KEY-NAMESAKE',
  'session-routes': 'AUTH-KEY-* AUTH-MISSING-*Key* AUTH-INVALID-*Key* AUTH-AS-SESSION ACCEPTS-*Key*',
  'session-clients': aboutClients,
  'secret-once': 'SHAPE-createKey KEY-WORKS KEY-SECRET-ONCE',
  'key-lifetime': {
    reason: 'A key may live for any time; one that the suite creates must work during the run.',
  },
  'session-login': { reason: 'The operator tells the suite the cookie of a session.' },

  // §6
  'no-push': unpublished,
  'notifications-polled': 'ACCEPTS-listNotifications NOTIFICATION-NEW-UNREAD NOTIFICATION-STAYS-UNREAD',

  // §7
  'error-body': 'ERROR-BODY ERROR-MESSAGE ANSWER-JSON',
  'error-statuses': 'ERROR-STATUS',
  'error-code-decides': 'ERROR-CODE-*',
  'error-unauthorized':
    'ERROR-CODE-401 AUTH-MISSING-* AUTH-INVALID-* AUTH-MALFORMED AUTH-FIRST-* AUTH-REFUSED-*',
  'error-not-found':
    'ERROR-CODE-404 TASK-UNKNOWN RUN-UNKNOWN DOC-UNKNOWN *-ODD-ID ISOLATION-GET-* ISOLATION-RUN-TASK',
  'error-invalid-request': 'ERROR-CODE-400 ERROR-CODE-409 INPUT-* LEFTOVER-* RUN-AGAIN RUN-TWICE',
  'error-no-credits': 'ERROR-CODE-402 NO-CREDITS-REFUSED NO-CREDITS-CREATIVE NO-CREDITS-RECOVERS',
  'error-busy': 'ERROR-CODE-409 BUSY-ANSWER BUSY-STARTS',
  'error-rate-limited': 'ERROR-CODE-429 LIMIT-CODE LIMIT-RETRY-AFTER LIMIT-REFUSED-*',
  'error-unavailable': 'ERROR-CODE-503 UNAVAILABLE-*',
  'status-400': 'ERROR-STATUS INPUT-*',
  'status-401': 'ERROR-STATUS ERROR-CODE-401',
  'status-402': 'ERROR-STATUS ERROR-CODE-402',
  'status-404': 'ERROR-STATUS ERROR-CODE-404 KEY-DELETE-AGAIN NOTIFICATION-UNKNOWN',
  'status-422': 'ERROR-STATUS INPUT-*',
  'status-429': 'ERROR-STATUS LIMIT-*',
  'status-500': 'ERROR-STATUS',
  'after-402': 'NO-CREDITS-PERSISTS NO-CREDITS-RECOVERS',
  'after-429': 'LIMIT-WAITED-OUT',
  'after-503': 'UNAVAILABLE-OVER',
  'codes-422-500': { reason: 'Any code that is not empty is accepted.' },

  // §8
  'rate-limit': 'LIMIT-*',
  prices:
    '*-COSTS-ONE CREDITS-REFUSED-RUN CREATIVE-REFUSED-FREE CREATIVE-ATOMIC BUSY-COSTS LEFTOVER-* FREE-* NO-CREDITS-FREE-ROUTES',
  'usage-numbers': 'SHAPE-listTasks',
  'limit-values': {
    reason: 'Any limit is legitimate; the suite arranges one, or sends requests until it meets one.',
  },

  // §9
  'no-versioning': unpublished,
  'path-prefix': 'ACCEPTS-*',
}
