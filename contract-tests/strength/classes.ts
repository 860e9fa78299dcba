/** What the specification says of each mutant, written down before any is run. The first row that fits decides. */

/** `forbidden`: and visible, so that it must die. `arguable`: it may die. `legal`: it must not. */
export type MutantClass = 'forbidden' | 'arguable' | 'legal'

/** A pattern of ids such as `listTasks items.*.status stale`; of requests, `listTasks request dropped`. */
type Row = readonly [id: RegExp, is: MutantClass, because: string]

const open = '#task-fields, #org-plan, #org-name, #usage-numbers'
const byOthers = 'another client could have done it too'

const rows: readonly Row[] = [
  // Fields whose values are open.
  [
    /(?:description| plan\S*|org\.name| usedToday| limit| remaining) (?:swapped|stale|off by one)$/,
    'legal',
    open,
  ],
  [/last_used_at (?:swapped|stale|off by one)$/, 'legal', '#key-last-used'],
  [/(?:description| plan\S*|org\.name| usedToday| limit| remaining) (?:constant|emptied)$/, 'legal', open],
  [
    /^(?:listLeads|listCampaigns|get[IWB]\w+) (?!request)\S+ dropped$/,
    'forbidden',
    '#prospect-fields, #opaque-objects',
  ],
  [/^(?:listLeads|listCampaigns|get[IWB]\w+) (?!request)/, 'arguable', '#prospect-fields, #opaque-objects'],
  [/andingPages? (?:version|published) (?!dropped|off)/, 'legal', '#landing-page-fields'],
  [/andingPages? \S+ (?:off by one|swapped|stale|constant)$/, 'arguable', '#landing-page-fields'],
  [/kind [a-z ]+$/, 'arguable', '#document-kinds: the suite sends none'],
  [/ key (?:constant|swapped|stale)$/, 'arguable', '#key-value: a string or an object'],
  [/ key emptied$/, 'arguable', '#key-value'],
  [/^listKeys \S+last_used_at /, 'arguable', '#key-last-used: the format is open'],
  // Lists of documents may omit fields, and answers to a creation need not show all.
  [/Documents \S+(?:content_md|summary|folder_id) /, 'arguable', '#document-item: lists may omit both'],
  [
    /^createDocument \S+(?:content_md|summary|folder_id) (?:dropped|emptied|stale)/,
    'arguable',
    '#create-document',
  ],
  [/Document \S+folder_id /, 'arguable', '#document-input: a folder may be unknown'],
  // Lists may be capped, and come in any order.
  [/ (?:items|keys) off by one/, 'arguable', '#list-contents: the length is open, of more than one'],
  [/ (?:items|keys) swapped/, 'arguable', '#real-deployments: a list may be a moment late'],
  // Whole things. A creation is answered with a thing of its own, so that nothing is stale there.
  [/^create\w+ (?:task|item) stale/, 'legal', 'it is said of each thing once'],
  [/^getDocument item stale/, 'legal', 'it does not change'],
  [/^getTask task stale/, 'arguable', '#status-names: other statuses are open'],
  [
    /^generateCreative url (?:swapped|stale)/,
    'arguable',
    '#creative-cost: nobody can tell whose result is there',
  ],
  // Each run and creative has an id of its own.
  [/^runTask \S*Id (?:swapped|stale|constant)/, 'forbidden', '#run-names-itself'],
  [/^generateCreative (?:\S*Id|url) (?:swapped|stale|constant)/, 'forbidden', '#creative-fields'],
  // A field that never changes for the same thing.
  [/(?:id|text|title|content_md|summary|name|prefix|Id) stale$/, 'legal', 'it does not change'],
  [/ ok (?:constant|swapped|stale)$/, 'legal', 'it is true in every success'],
  [/^whoami credits swapped/, 'arguable', 'another client could have changed it and changed it back'],
  [/^createTask \S*status (?:swapped|stale)/, 'legal', 'new tasks are alike'],
  [/^createTask \S*status constant/, 'arguable', '#status-names: a new task may have a status of its own'],
  [/^runTask status (?:swapped|stale|constant)/, 'arguable', '#status-names: that at acceptance is open'],
  [/^runTask finished (?:constant false|swapped|stale)/, 'arguable', '#run-task: it was so at acceptance'],
  [/Tasks? \S*status swapped/, 'arguable', '#other-transitions'],
  [/^getTask finished swapped/, 'arguable', 'tasks that are alike agree'],
  [/^listKeys \S+(?:prefix|name) swapped/, 'forbidden', '#key-name, #key-prefix'],
  [/^listNotifications unread off by one/, 'arguable', '#notification-list: a list may be capped'],
  [/^listNotifications \S+read swapped/, 'arguable', 'notifications that are alike agree'],
  [/^generateCreative request replayed/, 'arguable', byOthers],
  [/^generateCreative /, 'forbidden', '#creative-fields'],
  // Requests.
  [
    /^whoami request replayed/,
    'arguable',
    '#rate-limit: it counts towards the limit of the key that sent it',
  ],
  [/^(?:whoami|list\w+|get\w+) request (?:doubled|replayed)/, 'legal', 'reading has no effect'],
  [/^getDocument request cached/, 'arguable', '#error-unavailable: a cache answers during an outage too'],
  [
    /^(?:listLeads|listCampaigns|get[IWB]\w+) request/,
    'arguable',
    'nothing changes them, but a cache is up in an outage',
  ],
  [/^listLandingPages request/, 'arguable', '#list-landing-pages: a SHOULD'],
  [/^readNotification request (?:doubled|replayed)/, 'legal', '#notification-marking'],
  [/^deleteKey request replayed/, 'legal', '#status-404: deleting a key that is gone'],
  [/^deleteKey request doubled/, 'forbidden', '#success-status: the second is answered 404'],
  [/^(?:create\w+|runTask) request (?:doubled|replayed)/, 'arguable', byOthers],
  [/^createLandingPage request dropped/, 'arguable', '#landing-page-fields: a site may be updated'],
  [
    /^(?:create|generate|run|delete|read)\w+ request cached/,
    'arguable',
    'the address names the thing, not the request',
  ],
]

/** The class of a mutant, and why; what no row names is forbidden. */
export function classOf(id: string): { is: MutantClass; because: string } {
  const [, is, because] = rows.find(([pattern]) => pattern.test(id)) ?? []
  return is && because ? { is, because } : { is: 'forbidden', because: 'no rule leaves it open' }
}
