/** What the traffic of the whole run shows: ids returned twice, and resources that were lost. */
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import { requestedId } from '#traffic/odd-input.ts'
import { createdId } from '../harness/created.ts'

/** Two exchanges that contradict each other, and what about. */
export interface Contradiction {
  readonly what: string
  readonly first: Exchange
  readonly second: Exchange
}

/** The credentials of a request. What was created with the same ones belongs to the same organization. */
const credentialsOf = ({ requestHeaders: { authorization, cookie } }: Exchange) =>
  authorization ?? cookie ?? ''

/** The id in the path of a request, decoded; empty where there is none. */
const idInPath = (one: Exchange) => requestedId(one) ?? ''

/** The first value that two exchanges share, for the values of exchanges by the same credentials. */
function firstShared(
  exchanges: readonly Exchange[],
  read: (exchange: Exchange) => string | undefined,
  forget: (exchange: Exchange) => string | undefined = () => undefined,
): Contradiction | undefined {
  const seen = new Map<string, Exchange>()
  const keyOf = (exchange: Exchange, value: string) => `${credentialsOf(exchange)}\n${value}`
  for (const second of exchanges.filter(isAccepted)) {
    const gone = forget(second)
    if (gone !== undefined) seen.delete(keyOf(second, gone))
    const what = read(second)
    if (what === undefined) continue
    const first = seen.get(keyOf(second, what))
    if (first) return { what, first, second }
    seen.set(keyOf(second, what), second)
  }
  return undefined
}

/** An id that an operation returned for two things that exist side by side. */
export function idTwice(exchanges: readonly Exchange[], create: OperationId): Contradiction | undefined {
  return firstShared(
    exchanges,
    (one) => (one.operation === create ? createdId(one) : undefined),
    (one) => (create === 'createKey' && one.operation === 'deleteKey' ? idInPath(one) : undefined),
  )
}

/** A runId that runs of two tasks share. */
export function runIdTwice(exchanges: readonly Exchange[]): Contradiction | undefined {
  const runs = exchanges.filter(({ operation }) => operation === 'runTask')
  const tasksOf = new Map<string, Exchange>()
  for (const second of runs.filter(isAccepted)) {
    const what = idOf(field(second.json, 'runId'))
    if (what === undefined) continue
    const key = `${credentialsOf(second)}\n${what}`
    const first = tasksOf.get(key)
    if (first && idInPath(first) !== idInPath(second)) return { what, first, second }
    tasksOf.set(key, second)
  }
  return undefined
}

/** Refusals after which a task stays as it is; 409 busy is none. */
const refusing = new Set([400, 401, 402, 404, 422, 429, 503])

/** Whether a response shows a task that runs or has run. */
export function showsRun({ json }: Exchange): boolean {
  return field(json, 'finished') === true || field(json, 'task', 'status') === 'in_progress'
}

/** The refusals of runs of tasks that were never accepted, and that had not run when they were refused, by task id. */
export function refusedRunsByTask(exchanges: readonly Exchange[]): Map<string, Exchange> {
  const refusals = new Map<string, Exchange>()
  const ran = new Set<string>()
  for (const one of exchanges) {
    const { operation, status } = one
    const id = idInPath(one)
    if (operation === 'getTask' && showsRun(one) && !refusals.has(id)) ran.add(id)
    if (operation !== 'runTask') continue
    if (!refusing.has(status)) ran.add(id)
    else if (!refusals.has(id)) refusals.set(id, one)
  }
  for (const id of ran) refusals.delete(id)
  return refusals
}

/** A task or document that was created, never run, and then not found by its id. */
export function lostResource(
  exchanges: readonly Exchange[],
  create: 'createTask' | 'createDocument',
  read: 'getTask' | 'getDocument',
): Contradiction | undefined {
  const made = new Map<string, Exchange>()
  for (const exchange of exchanges) {
    const key = (id: string) => `${credentialsOf(exchange)}\n${id}`
    const id = exchange.operation === create && isAccepted(exchange) ? createdId(exchange) : undefined
    if (id !== undefined) made.set(key(id), exchange)
    if (exchange.operation === 'runTask') made.delete(key(idInPath(exchange)))
    if (exchange.operation !== read || exchange.status !== 404) continue
    const first = made.get(key(idInPath(exchange)))
    if (first) return { what: idInPath(exchange), first, second: exchange }
  }
  return undefined
}
