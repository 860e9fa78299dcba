/** What the specification says of each mutant, written down before any is run. The first row that fits decides. */

/** `forbidden`: and visible, so that it must die. `arguable`: it may die. `legal`: it must not. */
export type MutantClass = 'forbidden' | 'arguable' | 'legal'

type Row = readonly [operation: RegExp, field: RegExp, operator: RegExp, is: MutantClass, because: string]

const any = /./
/** Any field of an answer. */
const ofAnswer = /^(?!request$)/
const free = /^(?:constant|constant false|swapped|stale|emptied)$/

const rows: readonly Row[] = [
  // Fields whose values are open.
  [
    any,
    /description$|^plan|org\.name$|last_used_at$|^(?:usedToday|limit|remaining)$/,
    /^(?:swapped|stale|off by one)$/,
    'legal',
    '#task-fields, #org-plan, #org-name, #key-last-used, #usage-numbers',
  ],
  [
    any,
    /description$|^plan|org\.name$|^(?:usedToday|limit|remaining)$/,
    /^(?:constant|emptied)$/,
    'legal',
    '#task-fields, #org-plan, #org-name, #usage-numbers',
  ],
  [
    /listLeads|listCampaigns|getInsights|getWallet|getBilling/,
    ofAnswer,
    /^(?:dropped)$/,
    'forbidden',
    '#prospect-fields, #opaque-objects',
  ],
  [
    /listLeads|listCampaigns|getInsights|getWallet|getBilling/,
    ofAnswer,
    any,
    'arguable',
    '#prospect-fields, #opaque-objects',
  ],
  [/andingPage/, /^(?:version|published)$/, free, 'legal', '#landing-page-fields'],
  [/andingPage/, any, /^(?:off by one|swapped|stale|constant)$/, 'arguable', '#landing-page-fields'],
  [any, /kind$/, any, 'arguable', '#document-kinds: the suite sends none'],
  [any, /^key$/, /^(?:constant|swapped|stale)$/, 'arguable', '#key-value: a string or an object'],
  [any, /^key$/, /emptied/, 'arguable', '#key-value'],
  [/listKeys/, /last_used_at$/, any, 'arguable', '#key-last-used: the format is open'],
  // Lists of documents may omit fields, and answers to a creation need not show all.
  [/Documents/, /(?:content_md|summary|folder_id)$/, any, 'arguable', '#document-item: lists may omit both'],
  [
    /createDocument/,
    /(?:content_md|summary|folder_id)$/,
    /dropped|emptied|stale/,
    'arguable',
    '#create-document',
  ],
  [/Document$/, /folder_id$/, any, 'arguable', '#document-input: a folder may be unknown'],
  // Lists may be capped, and come in any order.
  [any, /^(?:items|keys)$/, /off by one/, 'arguable', '#list-contents: the length is open, of more than one'],
  [any, /^(?:items|keys)$/, /swapped/, 'arguable', '#real-deployments: a list may be a moment late'],
  // Whole things. A creation is answered with a thing of its own, so that nothing is stale there.
  [/create/, /^(?:task|item)$/, /stale/, 'legal', 'it is said of each thing once'],
  [/getDocument/, /^item$/, /stale/, 'legal', 'it does not change'],
  [/getTask/, /^task$/, /stale/, 'arguable', '#status-names: other statuses are open'],
  [
    /generateCreative/,
    /url$/,
    /swapped|stale/,
    'arguable',
    '#creative-cost: nobody can tell whose result is hosted there',
  ],
  // Each run and creative has an id of its own.
  [
    /runTask|generateCreative/,
    /Id$|url$/,
    /swapped|stale|constant/,
    'forbidden',
    '#run-names-itself, #creative-fields',
  ],
  // A field that never changes for the same thing.
  [any, /(?:id|text|title|content_md|summary|name|prefix|Id)$/, /stale/, 'legal', 'it does not change'],
  [any, /^ok$/, /^(?:constant|swapped|stale)$/, 'legal', 'it is true in every success'],
  [/whoami/, /^credits$/, /swapped/, 'arguable', 'another client could have changed it and changed it back'],
  [/createTask/, /status$/, /swapped|stale/, 'legal', 'new tasks are alike'],
  [/createTask/, /status$/, /constant/, 'arguable', '#status-names: a new task may have a status of its own'],
  [
    /runTask/,
    /status$/,
    /swapped|stale|constant/,
    'arguable',
    '#status-names: the status at acceptance is open',
  ],
  [
    /runTask/,
    /finished$/,
    /constant false|swapped|stale/,
    'arguable',
    '#run-task: it was so when the run was accepted',
  ],
  [/Task/, /status$/, /swapped/, 'arguable', '#other-transitions'],
  [/getTask/, /finished$/, /swapped/, 'arguable', 'tasks that are alike agree'],
  [/listKeys/, /(?:prefix|name)$/, /swapped/, 'forbidden', '#key-name, #key-prefix'],
  [/listNotifications/, /unread$/, /off by one/, 'arguable', '#notification-list: a list may be capped'],
  [/listNotifications/, /read$/, /swapped/, 'arguable', 'notifications that are alike agree'],
  [/generateCreative/, /^request$/, /replayed/, 'arguable', 'another client could have done it too'],
  [/generateCreative/, any, any, 'forbidden', '#creative-fields'],
  // Requests.
  [
    /whoami/,
    /^request$/,
    /replayed/,
    'arguable',
    '#rate-limit: it counts towards the limit of the key that sent it before',
  ],
  [/whoami|list|get/, /^request$/, /doubled|replayed/, 'legal', 'reading has no effect'],
  [
    /getDocument/,
    /^request$/,
    /cached/,
    'arguable',
    '#error-unavailable: a cache answers during an outage too',
  ],
  [
    /listLeads|listCampaigns|getInsights|getWallet|getBilling/,
    /^request$/,
    any,
    'arguable',
    'nothing changes them, but a cache answers during an outage too',
  ],
  [/listLandingPages/, /^request$/, any, 'arguable', '#list-landing-pages: a SHOULD'],
  [/readNotification/, /^request$/, /doubled|replayed/, 'legal', '#notification-marking'],
  [/deleteKey/, /^request$/, /replayed/, 'legal', '#status-404: deleting a key that is gone'],
  [/deleteKey/, /^request$/, /doubled/, 'forbidden', '#success-status: the second is answered 404'],
  [/create|runTask/, /^request$/, /doubled/, 'arguable', 'another client could have done it too'],
  [
    /createKey|createTask|createDocument|createLandingPage|runTask/,
    /^request$/,
    /replayed/,
    'arguable',
    'another client could have done it too',
  ],
  [/createLandingPage/, /^request$/, /dropped/, 'arguable', '#landing-page-fields: a site may be updated'],
  [
    /^(?:create|generate|run|delete|read)/,
    /^request$/,
    /cached/,
    'arguable',
    'the address names the thing, not the request',
  ],
]

/** The class of a mutant, and why; what no row names is forbidden. */
export function classOf(
  operation: string,
  field: string,
  operator: string,
): { is: MutantClass; because: string } {
  const row = rows.find(([a, b, c]) => a.test(operation) && b.test(field) && c.test(operator))
  return row ? { is: row[3], because: row[4] } : { is: 'forbidden', because: 'no rule leaves it open' }
}
