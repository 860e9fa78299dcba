/** Ids of Server-Sent Events: where a client continues that reconnects, and whether numbers began again meanwhile. */
import type { HonoRequest } from 'hono'
import type { Service } from '../../pipeline/service.ts'

/** Identifies this process: numbers of another one mean other requests. */
const life = crypto.getRandomValues(new Uint32Array(1)).join('')

/** Returns the id of an event; `number`: that of the newest request that was told. */
export function eventId({ journal }: Service, number: number): string {
  return `${life}.${journal.restarts}-${number}`
}

/** Where a reader begins. */
export interface Start {
  /** Number of the newest request that it knows; undefined: it begins now. */
  readonly since: number | undefined
  /** Whether the numbers that it knows mean other requests. */
  readonly restarted: boolean
}

/** Reads `Last-Event-ID`, or else a number in the query. */
export function startOf(service: Service, request: HonoRequest, since: string | undefined): Start {
  const last = request.header('last-event-id')
  if (!last) return { since: since === undefined ? undefined : Number(since), restarted: false }
  const number = Number(last.slice(last.lastIndexOf('-') + 1))
  return last === eventId(service, number)
    ? { since: number, restarted: false }
    : { since: undefined, restarted: true }
}
