/** One request and its answer, as recorded by the suite; and how JSON values are read, and changed in one place. */
import { type OperationId, routeOf } from '#contract/operation.ts'

/**
 * The names of the callers, each with credentials of its own, that the suite sends requests as; `main` is the
 * organization under test.
 */
export const callers = ['main', 'other', 'session', 'nobody', 'stranger', 'created key'] as const
/** The name of a caller, whose credentials a request carries. */
export type Caller = (typeof callers)[number]

/** A request that the suite sent, and its answer. */
export interface Exchange {
  /** Number of the request in the run, from 1; also sent as `X-Request-Id`. */
  readonly number: number
  readonly operation: OperationId
  readonly caller: Caller
  readonly method: string
  readonly url: string
  /** Header names in lower case. */
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string | undefined
  readonly status: number
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body as JSON; undefined where it is not JSON. */
  readonly json: unknown
  /**
   * The reason why the body was not read to its end, such as `is larger than 16 MB`; undefined if it was. The beginning
   * of `text` is kept.
   */
  readonly excess?: string
  readonly duration_ms: number
}

/** True if the status of an answer is 2xx. */
export function hasSuccessStatus({ status }: Pick<Exchange, 'status'>): boolean {
  return status >= 200 && status < 300
}

const absent = new Set([404, 405, 501])

/** True if an answer shows that the service does not offer an extended route. */
export function isRouteAbsent({ operation, status }: Pick<Exchange, 'operation' | 'status'>): boolean {
  return routeOf(operation).set === 'extended' && absent.has(status)
}

/** The `error` code in an answer; undefined if there is none. */
export function errorCodeOf({ json }: { readonly json?: unknown }): string | undefined {
  const code = valueAtPath(json, 'error')
  return typeof code === 'string' ? code : undefined
}

/** The value in a JSON object at a path of names; undefined where it is missing. */
export function valueAtPath(value: unknown, ...path: string[]): unknown {
  let at: unknown = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = Reflect.get(at, name)
  }
  return at
}

/** The items of a list in an answer; empty where there is none. */
export function itemsOf(exchange: Exchange, name = 'items'): unknown[] {
  const list = valueAtPath(exchange.json, name)
  return Array.isArray(list) ? list : []
}

/** Converts an id, which may be a number, to text; undefined if the value is no id. */
export function idAsText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== ''
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined
}

/** True for the answer 409 `busy`, with which the service accepts a run that has to wait (§3.3). */
export const isBusy = (exchange: Exchange): boolean =>
  exchange.status === 409 && errorCodeOf(exchange) === 'busy'

/** True if a run was accepted: it started, or waits for a busy agent. */
export const isRunAccepted = (exchange: Exchange): boolean => hasSuccessStatus(exchange) || isBusy(exchange)

/** An answer in a few words, such as `401 unauthorized`. */
export function briefAnswer(exchange: Exchange): string {
  const code = errorCodeOf(exchange)
  if (code !== undefined) return `${exchange.status} ${code}`
  const body = exchange.text.length > 120 ? `${exchange.text.slice(0, 119)}…` : exchange.text
  return `${exchange.status} ${body || '(empty body)'}`
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True if a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Changes the value at a path such as `items.*.status` and returns the result; `*`: every item of a list; a change to
 * undefined removes the field.
 */
export function changeAtPath(
  value: unknown,
  path: readonly string[],
  change: (value: unknown, parent: JsonObject) => unknown,
): unknown {
  const [name = '', ...rest] = path
  if (name === '*')
    return Array.isArray(value) ? value.map((item) => changeAtPath(item, rest, change)) : value
  if (!isJsonObject(value)) return value
  const changed = rest.length > 0 ? changeAtPath(value[name], rest, change) : change(value[name], value)
  if (changed === value[name]) return value
  const fields: Record<string, unknown> = { ...value, [name]: changed }
  if (changed === undefined) delete fields[name]
  return fields
}
