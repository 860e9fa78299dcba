/** §4, RFC 9110 §15.4: the paths and methods of requests. */
import { operationAt, operationIds, routeOf } from '#contract/operation.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { requestPathOf } from '../entries.ts'
import { type ClientRule, type RuleSituation, shouldRule, violationsOrFirst } from '../rule.ts'

/** Methods of which the route table says nothing: HEAD is GET without a body, and OPTIONS asks for the methods. */
const neutralMethods: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS'])

const methods = [...new Set(operationIds.map((operation): string => routeOf(operation).method))]

/** The refused method or path of a request, in words; undefined: it names a route, or was not refused for that. */
function unknownRouteText(entry: JournalEntry): string | undefined {
  const { operation, method, status, reason } = entry
  const path = requestPathOf(entry)
  const isRefused = (status === 404 || status === 405) && reason === null
  if (operation !== null || !isRefused || !path.startsWith('/api/cli/')) return undefined
  const known = methods.filter((one) => operationAt(one, path))
  const what = known.length > 0 ? `which has ${known.join(' and ')}` : 'which is no route'
  return `requested ${method} ${path}, ${what}`
}

/** Statuses after which a client repeats its request elsewhere with the same method. */
const redirects: ReadonlySet<number> = new Set([307, 308])

/** The address that a redirect leads to, which repeats the method; undefined: the answer is no such redirect. */
const targetOf = ({ status, url, answerHeaders }: JournalEntry): string | undefined =>
  redirects.has(status) ? URL.parse(answerHeaders.location ?? '', url)?.href : undefined

/** The rule `uses-known-routes`: a client requests only paths and methods of the API, also after a redirect. */
export const usesKnownRoutesRule: ClientRule = shouldRule('uses-known-routes', '§4', {
  statement: 'A client requests the paths of the API with the methods that they have.',
  needs: 'a request to the API',
  followsFromOthers: true,
  fix: 'Take method and path of each request from docs/api.md; after a 307 or 308 repeat the request with its method and body, as RFC 9110 says.',
  thresholds:
    'Only a request that was refused with 404 or 405 counts: a service may have further routes. HEAD and OPTIONS say nothing.',
  judge(entries) {
    /** The redirected request that led to an address. */
    const led = new Map<string, JournalEntry>()
    const situations = entries.flatMap((entry): RuleSituation[] => {
      const target = targetOf(entry)
      if (target !== undefined) led.set(target, entry)
      const redirected = led.get(entry.url)
      if (neutralMethods.has(entry.method)) return []
      if (redirected && redirected.method !== entry.method) {
        const violation = `followed the ${redirected.status} to its ${redirected.method} with a ${entry.method}`
        return [{ evidence: [redirected, entry], violation }]
      }
      return [{ evidence: [entry], violation: unknownRouteText(entry) }]
    })
    return violationsOrFirst(situations)
  },
})
