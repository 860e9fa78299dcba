/** The inputs that are tried before a run: their names, the request that tries one, and descriptions of its answer. */
import type { Target } from '../client/target.ts'
import type { SuiteSettings } from '../harness/terms.ts'
import type { PreflightAnswer, PreflightSender } from './preflight-requests.ts'

/** The flag and the variable of each input. */
const names = {
  baseUrl: '--base-url (WORK_AGENT_BASE_URL)',
  apiKey: '--api-key (WORK_AGENT_API_KEY)',
  otherApiKey: '--other-api-key (WORK_AGENT_OTHER_API_KEY)',
  sessionCookie: '--session-cookie (WORK_AGENT_SESSION_COOKIE)',
  otherSessionCookie: '--other-session-cookie (WORK_AGENT_OTHER_SESSION_COOKIE)',
  statesUrl: '--states-url (WORK_AGENT_STATES_URL)',
} as const

/** The name of an input of the operator, such as a key or the states URL. */
export type SuiteInputName = keyof typeof names

/**
 * Thrown if an input of the operator cannot be used; the message names the input and the answer that showed it, in one
 * line.
 */
export class UnusableInputError extends Error {
  constructor(input: SuiteInputName, what: string) {
    super(`${names[input]}: ${what}`)
  }
}

/** The service under test before a run, with the function that sends it requests and the settings. */
export interface PreflightTarget {
  readonly ask: PreflightSender
  readonly target: Target
  readonly settings: SuiteSettings
}

/** Sends a GET of a path below `/api/cli` with these headers, and returns the answer. */
export const getBelowApi = (
  { ask, target: { baseUrl } }: PreflightTarget,
  path: string,
  headers: Readonly<Record<string, string>>,
) => ask(`${baseUrl}/api/cli${path}`, { headers })

/** An answer in a few words, such as `404 {"message":"Not Found"}` or `200 and HTML`. */
export function describePreflightAnswer({ status, headers, text, json, excess }: PreflightAnswer): string {
  if (excess !== undefined) return `${status} with a body that ${excess}`
  if (status >= 300 && status < 400) return `${status} to ${headers.location ?? 'nowhere'}`
  if (isHtmlAnswer({ headers, text })) return `${status} and HTML`
  if (text === '') return `${status} without a body`
  const shown = json === undefined ? text : JSON.stringify(json)
  return `${status} ${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}`
}

/** True if an answer is a page of HTML. */
export function isHtmlAnswer({ headers, text }: Pick<PreflightAnswer, 'headers' | 'text'>): boolean {
  return /\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(text)
}

/** The reason why a URL gives no answer, in one line, with the remedy if TLS is the cause. */
export function describeMissingAnswer(url: string, reason: string): string {
  const other = url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:')
  if (/SELF_SIGNED|UNABLE_TO_|CERT_|CERTIFICATE/.test(reason))
    return `the certificate of ${url} is not trusted (${reason}); --ca FILE adds its authority, --insecure accepts any`
  if (/ERR_SSL|EPROTO/.test(reason))
    return `${url} does not speak TLS (${reason}); use ${other} if it is plain HTTP`
  if (url.startsWith('http:') && /^(?:HPE_|UND_ERR_SOCKET|ECONNRESET)/.test(reason))
    return `${url} does not answer: ${reason}; use ${other} if it speaks TLS`
  return `${url} does not answer: ${reason}`
}
