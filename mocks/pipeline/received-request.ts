/** A request as an edge hands it to the pipeline, whatever carried it: HTTP, the `fetch` of a mock, msw, a service worker. */
import { type ArrivalDelays, noArrivalDelays } from '../journal/entry.ts'

/** A body as it was received: its length in bytes, and its text; undefined if it is not UTF-8. */
export interface ReceivedBody {
  readonly bytes: number
  readonly text: string | undefined
  /** Bytes as sent, if the body was collected. */
  readonly sent?: Uint8Array<ArrayBuffer>
}

/** The result of receiving a body: the body, or why there is none. */
export type BodyReception = ReceivedBody | 'broken' | 'long' | 'many'

/** A request as the pipeline sees it, whichever edge received it. */
export abstract class ReceivedRequest {
  abstract readonly method: string
  /** With scheme and host, as the client called it. */
  abstract readonly url: string
  /** Names and values in turn, as sent. */
  abstract readonly rawHeaders: readonly string[]
  /** An object that identifies the connection of the request. */
  abstract readonly connection: object | undefined
  /** The body, if the edge has collected it already. */
  abstract readonly body: ReceivedBody | undefined
  /**
   * Set if an earlier fault had closed the connection: its reason. The request then has no effect and gets no answer.
   */
  readonly cutBy: string | undefined = undefined
  readonly arrival: ArrivalDelays = noArrivalDelays
  #path: string | undefined

  /** Returns the value of a header; undefined if it was not sent. `name`: in lower case. */
  abstract header(name: string): string | undefined

  /** Reads a body that was not collected. */
  abstract receive(): Promise<BodyReception>

  /** Holds the answer back until the end of a wait; returns whether the client has disconnected by then. */
  abstract hold(wait: Promise<unknown>): Promise<boolean>

  /** The path with what is percent-encoded decoded, except where that would change its segments. */
  get path(): string {
    this.#path ??= pathOf(this.url)
    return this.#path
  }

  /** The parameters of the query; the first of repeated ones counts. */
  query(): Readonly<Record<string, string>> {
    const found: Record<string, string> = Object.create(null)
    for (const pair of queryOf(this.url).split('&')) {
      const at = pair.indexOf('=')
      const name = plainText(at < 0 ? pair : pair.slice(0, at))
      if (name !== '') found[name] ??= at < 0 ? '' : plainText(pair.slice(at + 1))
    }
    return found
  }
}

const schemeMark = '://'

function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf(schemeMark) + schemeMark.length)
  if (start < 0) return '/'
  const path = url.slice(start, Math.min(endOf(url, start, '?'), endOf(url, start, '#')))
  return path.includes('%') ? decoded(path.replaceAll('%25', '%2525'), decodeURI) : path
}

function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1, endOf(url, start, '#'))
}

function endOf(url: string, start: number, mark: string): number {
  const end = url.indexOf(mark, start)
  return end < 0 ? url.length : end
}

/** Percent-decodes a part of a path; malformed escapes stay as they are. */
export const decodePathPart = (part: string): string =>
  part.includes('%') ? decoded(part, decodeURIComponent) : part

const plainText = (text: string) => decodePathPart(text.replaceAll('+', ' '))

/** Decodes what can be decoded, and leaves the rest as it was sent. */
function decoded(text: string, decode: (text: string) => string): string {
  try {
    return decode(text)
  } catch {
    return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (part) => {
      try {
        return decode(part)
      } catch {
        return part
      }
    })
  }
}
