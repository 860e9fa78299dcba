/** Clients whose requests are wrong by themselves. */
import type { BadClient } from './bad-client.ts'
import { type Connection, onRequest } from './flaws.ts'

/** Adds headers to each request. */
const adds = (headersOf: (connection: Connection) => Record<string, string>): BadClient['flaw'] =>
  onRequest((url, init, connection) => [
    url,
    { ...init, headers: { ...init.headers, ...headersOf(connection) } },
  ])

/** Writes bodies in another way. */
const writes = (body: (fields: Record<string, string>) => string): BadClient['flaw'] =>
  onRequest((url, init) => [url, init.body ? { ...init, body: body(JSON.parse(String(init.body))) } : init])

/** Gives bodies another type, or none. */
const declares = (type: string | undefined): BadClient['flaw'] =>
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
const changesIds = (change: (id: string) => string): BadClient['flaw'] =>
  onRequest((url, init) => [
    url.replace(/(?<=\/tasks\/)[^/]+/, (segment) => change(decodeURIComponent(segment))),
    init,
  ])

export const requests: readonly BadClient[] = [
  {
    id: 'puts-key-in-url',
    flaw: onRequest((url, init, { apiKey }) => [`${url}?api_key=${apiKey}`, init]),
    breaks: 'key-in-header',
    scenario: 'second-variant',
  },
  {
    id: 'puts-key-in-cookie',
    flaw: adds(({ apiKey }) => ({ cookie: `key=${apiKey}` })),
    breaks: 'key-in-header',
    scenario: 'second-variant',
  },
  {
    id: 'logs-headers',
    flaw: onRequest((url, init, { say }) => {
      say(`${init.method} ${url} ${JSON.stringify(init.headers)}`)
      return [url, init]
    }),
    breaks: 'keeps-key-secret',
    scenario: 'second-variant',
  },
  {
    id: 'names-organization',
    flaw: adds(() => ({ 'x-org-id': 'mine' })),
    breaks: 'no-organization-id',
    scenario: 'second-variant',
  },
  {
    id: 'asks-for-organization',
    flaw: onRequest((url, init) => [`${url}?organization_id=mine`, init]),
    breaks: 'no-organization-id',
    scenario: 'second-variant',
  },
  {
    id: 'sends-forms',
    flaw: writes((fields) => new URLSearchParams(fields).toString()),
    breaks: 'sends-json',
    scenario: 'second-variant',
  },
  {
    id: 'sends-bare-text',
    flaw: writes(({ text }) => JSON.stringify(text)),
    breaks: 'sends-json',
    scenario: 'second-variant',
  },
  {
    id: 'sends-json-as-text',
    flaw: declares('text/plain;charset=UTF-8'),
    breaks: 'declares-json',
    refusedBy: 'other-types-refused',
    scenario: 'second-variant',
  },
  {
    id: 'sends-json-as-xml',
    flaw: declares('application/xml'),
    breaks: 'declares-json',
    refusedBy: 'other-types-refused',
    scenario: 'second-variant',
  },
  {
    id: 'sends-json-as-nothing',
    flaw: declares(undefined),
    breaks: 'declares-json',
    refusedBy: 'other-types-refused',
    scenario: 'second-variant',
  },
  {
    id: 'puts-ids-in-paths-as-they-are',
    flaw: changesIds((id) => id),
    breaks: 'encodes-ids',
    scenario: 'odd-ids',
  },
  {
    id: 'keeps-reserved-characters',
    flaw: changesIds(encodeURI),
    breaks: 'encodes-ids',
    scenario: 'odd-ids',
  },
  {
    id: 'encodes-ids-twice',
    flaw: changesIds((id) => encodeURIComponent(encodeURIComponent(id))),
    breaks: 'encodes-ids',
    scenario: 'odd-ids',
  },
  {
    id: 'encodes-ids-as-forms',
    flaw: changesIds((id) => encodeURIComponent(id).replaceAll('%20', '+')),
    breaks: 'encodes-ids',
    scenario: 'odd-ids',
  },
  {
    id: 'lowers-ids',
    flaw: changesIds((id) => encodeURIComponent(id.toLowerCase())),
    breaks: 'encodes-ids',
    scenario: 'odd-ids',
  },
]
