/** Before a run: this API answers at the base URL, and accepts the key. */
import { endless } from '../client/answer.ts'
import { reasonOf } from '../client/reason.ts'
import { bearer } from '../harness/context.ts'
import { UnusableInput } from './preflight-input.ts'
import { type Ask, briefly, isHtml, type Received } from './preflight-request.ts'

/** Two routes that only read, and the fields of a success, of which one is enough to know it by. */
const routes = {
  '/api/cli/whoami': ['org', 'plan', 'credits'],
  '/api/cli/tasks': ['items', 'usedToday', 'limit', 'remaining'],
}

/** @throws UnusableInput if both routes refuse the key, or neither answers like this API. */
export async function proveBaseUrl(ask: Ask, baseUrl: string, apiKey: string): Promise<void> {
  const seen: Received[] = []
  for (const [path, fields] of Object.entries(routes)) {
    const received = await ask(baseUrl + path, { headers: bearer(apiKey) }).catch((error) => {
      throw new UnusableInput('baseUrl', silence(baseUrl, reasonOf(error)))
    })
    if (isOfThisApi(received, fields)) return
    seen.push(received)
  }
  const [whoami, tasks] = seen as [Received, Received]
  if (seen.every(({ status }) => status === 401))
    throw new UnusableInput(
      'apiKey',
      `${baseUrl} refuses it (401 on whoami and on tasks): ${briefly(whoami)}`,
    )
  if (seen.every(isUnknownSuccess) && !isUnknownSuccess(await ask(`${baseUrl}/api/cli/no-such-route`))) return
  throw new UnusableInput(
    'baseUrl',
    `${baseUrl} ${strangeness(baseUrl, whoami.status === 401 ? tasks : whoami)}`,
  )
}

/** Whether an answer may be one of this API, be it a wrong one. */
function isOfThisApi({ status, json, headers, text, excess }: Received, fields: readonly string[]): boolean {
  if (status === 401 || status === 404 || (status >= 300 && status < 400)) return false
  if (excess !== undefined) return excess !== endless && /\bjson\b/i.test(headers['content-type'] ?? '')
  if (typeof json !== 'object' || json === null) return status === 500 && !isHtml({ headers, text })
  if (status < 300) return fields.some((name) => Object.hasOwn(json, name))
  return status === 402 || status === 429 || status >= 500 || Object.hasOwn(json, 'error')
}

/** JSON without any field of this API: a wrong answer of it, unless every path answers alike. */
const isUnknownSuccess = ({ status, json }: Received) => status < 300 && typeof json === 'object'

function strangeness(baseUrl: string, received: Received): string {
  const { status, headers } = received
  const answer = `answers ${briefly(received)}`
  if (status >= 300 && status < 400) {
    const target = URL.parse(headers.location ?? '', `${baseUrl}/api/cli/whoami`)?.href ?? ''
    const [, intended] = /^(.+)\/api\/cli\/(?:whoami|tasks)\/?$/.exec(target) ?? []
    const advice = intended === undefined || intended === baseUrl ? '' : `; use ${intended}`
    return `redirects with ${briefly(received)}${advice}`
  }
  if (received.excess !== undefined) return `${answer} to GET /api/cli/whoami and tasks`
  if ([502, 503, 504].includes(status)) return `${answer}, from a gateway: no service behind it answers`
  return `${answer} to GET /api/cli/whoami or tasks, which is not this API`
}

/** Why there is no answer, and what to do about it if TLS is the cause. */
export function silence(url: string, reason: string): string {
  const other = url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:')
  if (/SELF_SIGNED|UNABLE_TO_|CERT_|CERTIFICATE/.test(reason))
    return `the certificate of ${url} is not trusted (${reason}); --ca FILE adds its authority, --insecure accepts any`
  if (/ERR_SSL|EPROTO/.test(reason))
    return `${url} does not speak TLS (${reason}); use ${other} if it is plain HTTP`
  if (url.startsWith('http:') && /^(?:HPE_|UND_ERR_SOCKET|ECONNRESET)/.test(reason))
    return `${url} does not answer: ${reason}; use ${other} if it speaks TLS`
  return `${url} does not answer: ${reason}`
}
