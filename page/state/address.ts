/** The address: the view and everything that it shows, as the fragment `#/requests?org=…&status=4xx`. */
import { signal } from '@preact/signals-core'

/** The views of the page, in the order of the navigation. */
export const views = {
  requests: 'Requests',
  overview: 'Overview',
  tasks: 'Tasks',
  data: 'Data',
  break: 'Break it',
  travel: 'Time travel',
  reports: 'Reports',
} as const

/** The id of a view of the page. */
export type ViewId = keyof typeof views

/** Parameters of an address by name; an empty or missing value is not written. */
export type Params = Readonly<Record<string, string | number | undefined>>

const isView = (word: string): word is ViewId => Object.hasOwn(views, word)

function read(): { view: ViewId; params: Readonly<Record<string, string>> } {
  // A link to a saved state is `#state=…`, whichever view it opens.
  if (location.hash.startsWith('#state='))
    return { view: 'travel', params: { state: location.hash.slice(7) } }
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  return { view: isView(path) ? path : 'requests', params: Object.fromEntries(new URLSearchParams(query)) }
}

/** A signal with the parsed address of the page: its view and parameters. */
export const parsedAddress = signal(read())
const reread = () => {
  parsedAddress.value = read()
}
addEventListener('hashchange', reread)

/** The value of a parameter of the page's address; a missing one is the empty text. */
export const addressParam = (name: string): string => parsedAddress.value.params[name] ?? ''

/** The views that show nothing of a single organization, unless the address names a moment. */
export const viewsWithoutOrganization: ReadonlySet<ViewId> = new Set<ViewId>(['break', 'requests', 'reports'])

/**
 * The address of a view. Unless given, the organization stays the same, and so does the moment in views of an
 * organization.
 */
export function hrefOf(view: ViewId, params: Params = {}): string {
  const at = viewsWithoutOrganization.has(view) ? undefined : addressParam('at')
  return `#/${view}${queryStringOf({ org: addressParam('org'), at, ...params })}`
}

/** Writes parameters as a query string with its `?`; without parameters, an empty text. */
export function queryStringOf(params: Params): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== '')
  return given.length > 0 ? `?${new URLSearchParams(given as [string, string][])}` : ''
}

/**
 * The time at which a request was sent, as a short text for links. It distinguishes the request from one with the same
 * number in another mock.
 */
export const shortRequestTimeOf = (at: string): string => Date.parse(at).toString(36)

/** Opens a view of the page, as a new entry of the browser's history. */
export function openView(view: ViewId, params: Params = {}): void {
  go(hrefOf(view, params))
}

/**
 * Changes parameters of the page's address and keeps the rest. `quiet`: without a new entry of the browser's history,
 * as while typing.
 */
export function changeAddress(params: Params, { quiet = false } = {}): void {
  // The signal may lag behind: `hashchange` comes after keys that were pressed later.
  const { view, params: before } = read()
  go(`#/${view}${queryStringOf({ ...before, ...params })}`, quiet)
}

/** Waits for an answer, then calls `lead` with it, unless the user has changed the page's address in the meantime. */
export async function continueUnlessAddressChanged<Answer, Led>(
  answer: Promise<Answer>,
  lead: (answer: Answer) => Led,
) {
  const { hash } = location
  const found = await answer
  return location.hash === hash ? lead(found) : undefined
}

function go(href: string, quiet = false): void {
  if (href !== location.hash) history[quiet ? 'replaceState' : 'pushState'](null, '', href)
  // Read back at once, since the next key already acts on the new address.
  reread()
}
