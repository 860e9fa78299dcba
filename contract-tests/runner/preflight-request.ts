/** The requests of the preflight, which belong to no requirement and to no recorded traffic. */
import type { Exchange } from '#traffic/exchange.ts'
import { readBody } from '../client/answer.ts'
import { identified } from '../client/identified.ts'
import { inTime, pause, pauseAfter } from '../client/pauses.ts'
import { reasonOf } from '../client/reason.ts'
import type { Target } from '../client/target.ts'
import type { Settings } from '../harness/settings.ts'

export type Received = Pick<Exchange, 'status' | 'headers' | 'text' | 'json' | 'excess'>

/** Sends a request; without options it is a GET without credentials. Rejects if no answer comes. */
export type Ask = (
  url: string,
  options?: { readonly headers?: Readonly<Record<string, string>>; readonly method?: string; body?: unknown },
) => Promise<Received>

/** Tries of a request that a rate limit refuses; an outage is tried again once. */
const mostTries = 4
/** Longest wait before another try, ms. */
const longestWait = 60_000
const unavailable = [502, 503, 504]

/** Sends the requests of the preflight; a refusal that may pass and a dropped connection are tried again. */
export function createAsk(
  target: Target,
  { userAgent, runId = 'verify', timeout, headers: always, statesUrl, statesHeaders }: Settings,
): Ask {
  let requests = 0
  const { transport } = identified(target, userAgent, () => `${runId}-preflight-${++requests}`)
  return async (url, { headers = {}, method = 'GET', body } = {}) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const extra = url === statesUrl ? statesHeaders : always
    const sent = { ...extra, accept: 'application/json', ...type, ...headers }
    const outgoing = { method, headers: sent, ...content }
    for (let tries = 1; ; tries++) {
      const limit = inTime(timeout, undefined)
      try {
        const received = await receive(await transport(url, { ...outgoing, signal: limit.signal }))
        const { status } = received
        const most = status === 429 ? mostTries : method === 'GET' && unavailable.includes(status) ? 2 : 1
        const wait = pauseAfter(received, tries)
        if (tries >= most || wait > longestWait) return received
        await target.sleep(wait)
      } catch (error) {
        if (method !== 'GET' || tries > 1 || !isDropped(error)) throw error
        await target.sleep(pause)
      } finally {
        limit.end()
      }
    }
  }
}

async function receive(response: Response): Promise<Received> {
  const { text, json, excess } = await readBody(response)
  const { status, headers } = response
  const bounded = excess === undefined ? {} : { excess }
  return { status, headers: Object.fromEntries(headers), text, json, ...bounded }
}

/** Whether a connection was closed while a request was under way. */
const isDropped = (error: unknown) => /^(?:ECONNRESET|UND_ERR_SOCKET|EPIPE)$/.test(reasonOf(error))

/** `404 {"message":"Not Found"}`, `200 and HTML`: an answer in a few words. */
export function briefly({ status, headers, text, json, excess }: Received): string {
  if (excess !== undefined) return `${status} with a body that ${excess}`
  if (status >= 300 && status < 400) return `${status} to ${headers.location ?? 'nowhere'}`
  if (isHtml({ headers, text })) return `${status} and HTML`
  if (text === '') return `${status} without a body`
  const shown = json === undefined ? text : JSON.stringify(json)
  return `${status} ${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}`
}

export function isHtml({ headers, text }: Pick<Received, 'headers' | 'text'>): boolean {
  return /\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(text)
}
