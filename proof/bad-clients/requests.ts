/** Clients whose requests are wrong by themselves. */
import { type BadClient, clientsThatBreak } from './bad-client.ts'
import { type Connection, type Flaw, onRequest } from './flaws.ts'

/** Adds headers to each request. */
const adds = (headersOf: (connection: Connection) => Record<string, string>): Flaw =>
  onRequest((url, init, connection) => [
    url,
    { ...init, headers: { ...init.headers, ...headersOf(connection) } },
  ])

/** Writes bodies in another way. */
const writes = (body: (fields: Record<string, string>) => string): Flaw =>
  onRequest((url, init) => [url, init.body ? { ...init, body: body(JSON.parse(String(init.body))) } : init])

/** Gives bodies another type, or none. */
const declares = (type: string | undefined): Flaw =>
  onRequest((url, init) => {
    const { 'content-type': _, ...headers } = init.headers as Record<string, string>
    return [
      url,
      { ...init, headers: { ...headers, ...(type && { 'content-type': type }) }, ...bytesOf(init) },
    ]
  })

/** The body as bytes, to which fetch gives no type of its own. */
const bytesOf = ({ body }: RequestInit) => (body ? { body: new TextEncoder().encode(String(body)) } : {})

/** Makes something else of each id in a path. */
const changesIds = (change: (id: string) => string): Flaw =>
  onRequest((url, init) => [
    url.replace(/(?<=\/tasks\/)[^/]+/, (segment) => change(decodeURIComponent(segment))),
    init,
  ])

export const requests: readonly BadClient[] = [
  ...clientsThatBreak('key-in-header', 'second-variant', {
    'puts-key-in-url': onRequest((url, init, { apiKey }) => [`${url}?api_key=${apiKey}`, init]),
    'puts-key-in-cookie': adds(({ apiKey }) => ({ cookie: `key=${apiKey}` })),
  }),
  ...clientsThatBreak('keeps-key-secret', 'second-variant', {
    'logs-headers': onRequest((url, init, { say }) => {
      say(`${init.method} ${url} ${JSON.stringify(init.headers)}`)
      return [url, init]
    }),
  }),
  ...clientsThatBreak('no-organization-id', 'second-variant', {
    'names-organization': adds(() => ({ 'x-org-id': 'mine' })),
    'asks-for-organization': onRequest((url, init) => [`${url}?organization_id=mine`, init]),
  }),
  ...clientsThatBreak('sends-json', 'second-variant', {
    'sends-forms': writes((fields) => new URLSearchParams(fields).toString()),
    'sends-bare-text': writes(({ text }) => JSON.stringify(text)),
  }),
  ...clientsThatBreak(
    'declares-json',
    'second-variant',
    {
      'sends-json-as-text': declares('text/plain;charset=UTF-8'),
      'sends-json-as-xml': declares('application/xml'),
      'sends-json-as-nothing': declares(undefined),
    },
    { refusedBy: 'other-types-refused' },
  ),
  ...clientsThatBreak('encodes-ids', 'odd-ids', {
    'puts-ids-in-paths-as-they-are': changesIds((id) => id),
    'keeps-reserved-characters': changesIds(encodeURI),
    'encodes-ids-twice': changesIds((id) => encodeURIComponent(encodeURIComponent(id))),
    'encodes-ids-as-forms': changesIds((id) => encodeURIComponent(id).replaceAll('%20', '+')),
    'lowers-ids': changesIds((id) => encodeURIComponent(id.toLowerCase())),
  }),
]
