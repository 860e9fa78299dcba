/** A mock in the state that explains a recording, with a fault wherever the service failed. */

import { hasVariantSpecificFields, type OperationId, routeOf } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { errorCodeOf, idAsText, valueAtPath } from '#traffic/exchange.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import type { RecordedExchange } from '#traffic/recording.ts'
import type { Snapshot } from './control/snapshot.ts'
import { type Fault, faultCanAffect, faultText } from './faults/fault.ts'
import { parseFault } from './faults/words.ts'
import { type Mock, mockPartsOf } from './mock.ts'
import { creditsShownBy, stateFromRecording } from './recorded/state.ts'
import {
  assignOrganizationsToRequests,
  createEmptyRebuildCorrections,
  type RebuildCorrections,
  type RecordedRequest,
} from './recorded/traffic.ts'
import type { MockOptions } from './scenarios/index.ts'
import { cookieHeaderOf, sessionTokenOf } from './tenants/tenant.ts'

type Create = (options: MockOptions) => Mock

/** The maximum number of requests in a recording from which a mock can be rebuilt. */
export const maxRecordedRequests = 20_000
/** Number of trials after which unexplained answers stay unexplained. */
const mostTrials = 40
/** Number of requests after which other work of the process gets a turn. */
const turn = 100

/**
 * Creates a mock in the state that explains the answers of a recording, as it was before its entry `until` or before
 * the first one. Answers that no state explains become faults, or notes. @throws Error for a recording that is too
 * long.
 */
export async function rebuildMock(create: Create, recorded: readonly RecordedExchange[], until?: number) {
  if (recorded.length > maxRecordedRequests)
    throw new Error(`it has more than ${maxRecordedRequests} requests of this API`)
  const entries = assignOrganizationsToRequests(recorded)
  let best: RebuiltMock | undefined
  for (const limit of [undefined, ...limitsIn(entries)]) {
    if (best?.left === 0) break
    const [corrections, first] = [createEmptyRebuildCorrections(), until ?? entries[0]?.number ?? 0]
    let found: RebuiltMock | undefined
    for (let trial = 1; !found; trial++)
      found = await tryWith(create, entries, first, limit, corrections, trial < mostTrials)
    if (!best || found.left < best.left) best = found
  }
  return best as RebuiltMock
}

/** A mock rebuilt from a recording, with notes on the recorded answers that its state does not explain. */
export type RebuiltMock = NonNullable<Awaited<ReturnType<typeof tryWith>>>

/** Replays a recording from one state; undefined: it showed a correction, with which to try again. */
async function tryWith(
  create: Create,
  entries: readonly RecordedRequest[],
  until: number,
  rateLimit: string | undefined,
  corrections: RebuildCorrections,
  mayCorrect: boolean,
) {
  const [mock, took] = begin(create, entries, rateLimit, corrections)
  const notes: string[] = []
  const faults = new Map<string, Fault[]>()
  let before: Snapshot | undefined
  let left = 0
  let isCorrected = false
  const runs = new Map<string, number>()
  const note = (one: RecordedRequest, text: string) => {
    left++
    notes.push(`entry ${one.number}: ${text}`)
  }
  /** The last run that ended well, as `task_id#n`: had it failed, its refund would explain a credit too many. */
  const lastCompleted = (org: string) => {
    const rows = mockPartsOf(mock).tenants.organization(org).tasks.all()
    const ended = rows.flatMap(({ run }) => (run?.ended && run.outcome === 'completed' ? run : []))
    const keys = ended
      .toSorted((a, b) => (a.ends_at ?? 0) - (b.ends_at ?? 0))
      .map(({ task_id }) => `${task_id}#${(runs.get(task_id) ?? 0) - 1}`)
    return keys.findLast((key) => !key.endsWith('#-1') && !corrections.failed.has(key))
  }
  /** Learns a correction from a balance that is off by `more` credits; returns whether there was one. */
  const learn = (more: number, { org, at }: RecordedRequest): boolean => {
    const isUnpaid = (one: RecordedRequest) =>
      one.isLost && one.operation === 'runTask' && one.org === org && one.at < at
    const isKnown = ({ number }: RecordedRequest) => took.has(number) || corrections.took.has(number)
    const paid = more < 0 ? entries.findLast((one) => isUnpaid(one) && !isKnown(one)) : undefined
    if (paid) corrections.took.add(paid.number)
    const failed = Array.from({ length: Math.min(Math.max(0, more), 100) }, () => {
      const run = lastCompleted(org)
      if (run !== undefined) corrections.failed.add(run)
      return run
    })
    return paid !== undefined || failed[0] !== undefined
  }
  for (const [i, one] of entries.entries()) {
    if (i % turn === turn - 1) await new Promise((resolve) => setTimeout(resolve))
    if (one.number >= until) before ??= mock.snapshot()
    mock.clock.set(Math.max(one.at, mock.clock.now()))
    const own = mock.organization(one.org)
    const mayFollow = !one.isLost && one.status < 500 && (one.status !== 429 || rateLimit !== undefined)
    const saved = mayFollow && !one.isSuccess ? mock.snapshot() : undefined
    const tried = mayFollow ? await send(mock, one) : undefined
    const fault = tried && isLike(one, tried) ? undefined : faultFor(one, took)
    // A request without a valid key never meets a fault rule.
    if (before && (fault || tried?.status !== 401)) listOf(faults, one).push(fault ?? { kind: 'ok' })
    if (fault) {
      if (saved) mock.restore(saved)
      const rule = own.faults.add({ operation: one.operation, faults: [faultText(fault)], times: 1 })
      const answer = await send(mock, one).catch(() => undefined)
      own.faults.remove(rule.id)
      const isGiven = (one.isLost && !one.isOfGateway) || (answer !== undefined && isLike(one, answer))
      const given = `the mock answers ${answer ? brief(answer) : 'nothing'}`
      const unexplained =
        one.text === undefined && answer?.status === one.status
          ? `has no body in the recording; ${given}`
          : `could not be explained; ${given}`
      note(one, `${brief(one)} ${isGiven ? 'stays as a fault' : unexplained}`)
    } else if (tried?.status === 402 && one.isSuccess && mayCorrect) {
      corrections.credits.set(one.org, (corrections.credits.get(one.org) ?? 0) + 1)
      return undefined
    } else if (!tried || !isLike(one, tried)) {
      note(one, `${brief(one)} could not be explained${tried ? `; the mock answers ${brief(tried)}` : ''}`)
    } else if (one.isSuccess) {
      const credits = creditsShownBy(one)
      const more = (credits ?? 0) - (creditsShownBy({ ...one, json: tried.json }) ?? credits ?? 0)
      if (mayCorrect && learn(more, one)) isCorrected = true
      const wrong = answerDifference(one.json, tried.json)
      if (wrong !== undefined) note(one, wrong)
      if (more !== 0 && credits !== undefined && credits >= 0) own.setCredits(credits)
    }
    const task = decodedPathId(one)
    if (one.operation === 'runTask' && (one.isSuccess || took.has(one.number) || errorCodeOf(one) === 'busy'))
      runs.set(task ?? '', (runs.get(task ?? '') ?? 0) + 1)
  }
  if (isCorrected) return undefined
  mock.restore(before ?? mock.snapshot())
  for (const [key, list] of faults) {
    const [name, operation] = key.split(' ') as [string, OperationId]
    const [after, last] = [
      list.findIndex(({ kind }) => kind !== 'ok'),
      list.findLastIndex(({ kind }) => kind !== 'ok'),
    ]
    const words = list.slice(after, last + 1).map(faultText)
    if (after >= 0)
      mock.organization(name).faults.add({ operation, faults: words, times: words.length, after })
  }
  return {
    /** The mock, with its clock frozen. */
    mock,
    /** Findings, and what could not be explained, in sentences. */
    notes,
    /** Number of answers that only a fault explains, or nothing at all. */
    left,
  }
}

/** The faults of an operation of an organization, in the order of its requests. */
function listOf(faults: Map<string, Fault[]>, { org, operation }: RecordedRequest): Fault[] {
  const list = faults.get(`${org} ${operation}`) ?? []
  faults.set(`${org} ${operation}`, list)
  return list
}

/** A mock with the organizations as the recording began, and the numbers of unanswered requests that took effect. */
function begin(
  create: Create,
  entries: readonly RecordedRequest[],
  rateLimit: string | undefined,
  corrections: RebuildCorrections,
): [Mock, ReadonlySet<number>] {
  const options = optionsFor(entries, rateLimit)
  const mock = create(options)
  mock.clock.freeze(entries[0]?.at ?? 0)
  const { tenants } = mockPartsOf(mock)
  for (const { org } of entries) tenants.organization(org)
  const empty = mock.snapshot() as Extract<Snapshot, { of: 'mock' }>
  const took = new Set<number>()
  const organizations = empty.organizations.map((tenant) => {
    const own = entries.filter(({ org }) => org === tenant.name)
    const { state, took: more } = stateFromRecording(tenant.name, tenant.state, own, corrections)
    for (const number of more) took.add(number)
    return { ...tenant, state: { ...state, variants: variantsIn(own) } }
  })
  mock.restore({ ...empty, organizations })
  return [mock, took]
}

function optionsFor(entries: readonly RecordedRequest[], rateLimit = 'off'): MockOptions {
  const ofExtended = entries.filter(({ operation }) => routeOf(operation).set === 'extended')
  const isAbsent = ofExtended.length > 0 && ofExtended.every(({ status }) => status === 404)
  const dates = entries.filter(
    ({ status, headers }) => status === 429 && /[a-z]/i.test(headers['retry-after'] ?? ''),
  )
  const isSecond =
    entries.some(({ status }) => status === 422) ||
    Object.values(variantsIn(entries)).every((one) => one === 'second')
  return {
    // Not the seed of a recorded mock, which would draw the same ids again.
    seed: `rebuilt ${entries[0]?.at}`,
    past: 'none',
    credits: 0,
    rateLimit,
    extended: !isAbsent,
    variant: isSecond && entries.length > 0 ? 'second' : 'first',
    retryAfter: dates.length > 0 ? 'date' : 'seconds',
  }
}

/** The variant of the answers of each operation that has two. */
function variantsIn(entries: readonly RecordedRequest[]): Partial<Record<OperationId, Variant | 'both'>> {
  const found: Partial<Record<OperationId, Variant | 'both'>> = {}
  for (const { operation, isSuccess, json } of entries) {
    if (!isSuccess || !hasVariantSpecificFields(operation)) continue
    const { first, second } = routeOf(operation).answer
    const has = (own: typeof first, other: typeof first) =>
      Object.keys(own.shape).some((name) => !(name in other.shape) && valueAtPath(json, name) !== undefined)
    const [isFirst, isSecond] = [has(first, second), has(second, first)]
    found[operation] = isFirst && isSecond ? 'both' : isFirst ? 'first' : 'second'
  }
  return found
}

/** The rate limits that fit the first 429, as `N/Ws`: its `Retry-After` is rounded up, so that two windows may fit. */
function limitsIn(entries: readonly RecordedRequest[]): string[] {
  const refused = entries.find(
    ({ status, headers }) => status === 429 && headers['retry-after'] !== undefined,
  )
  if (!refused) return []
  const { number, secret, org, at, headers } = refused
  const after = headers['retry-after'] ?? ''
  const until = /^\d+$/.test(after) ? at + Number(after) * 1_000 : Date.parse(after)
  const counted = entries.filter((one) => one.number < number && one.secret === secret && one.org === org)
  const longest = Math.floor((until - (counted[0]?.at ?? at)) / 1_000)
  return [longest, longest - 1]
    .filter((seconds) => seconds >= 1)
    .map((seconds) => `${counted.length}/${seconds}s`)
}

type Answer = Pick<RecordedRequest, 'status' | 'json'>

async function send(mock: Mock, one: RecordedRequest): Promise<Answer> {
  const { apiKey } = mock.credentials(one.org)
  const url = new URL(one.url)
  const { auth, method } = routeOf(one.operation)
  const type = one.requestHeaders['content-type'] ?? 'application/json'
  const headers = {
    ...(one.requestBody === undefined ? {} : { 'content-type': type }),
    ...(auth === 'cookie' && { cookie: cookieHeaderOf(sessionTokenOf(one.org)) }),
    ...(auth === 'key' && !one.isAnonymous && { authorization: `Bearer ${one.secret ?? apiKey}` }),
  }
  const body = method === 'GET' ? undefined : one.requestBody
  const request = new Request(`http://rebuilt.invalid${url.pathname}${url.search}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  const answer = await mock.fetch(request)
  return { status: answer.status, json: parseJson(await answer.text()) }
}

/** True if both answers are successes, or errors with one status and code; the codes of 422 and 500 are open. */
function isLike(one: RecordedRequest, answer: Answer): boolean {
  if (one.isSuccess) return answer.status < 300
  const isOpen = one.status === 422 || one.status === 500
  return answer.status === one.status && (isOpen || errorCodeOf(answer) === errorCodeOf(one))
}

/** The fault with which the mock answers as recorded; undefined if there is none. */
function faultFor(one: RecordedRequest, took: ReadonlySet<number>): Fault | undefined {
  const { status, headers, operation, isLost, isOfGateway, isMalformed, isSuccess } = one
  if (isSuccess) return undefined
  const code = errorCodeOf(one) ?? ''
  const isDate = status === 429 && /[a-z]/i.test(headers['retry-after'] ?? '')
  const words = isMalformed
    ? ['malformed']
    : isOfGateway
      ? [`${took.has(one.number) ? 'lost ' : ''}${status === 500 ? 'gateway_error' : status}`]
      : isLost
        ? [status === 0 ? (took.has(one.number) ? 'lost' : 'reset') : 'malformed']
        : [`${code}${isDate ? ' date' : ''}`, String(status)]
  return words.map(parseFault).find((fault) => fault !== undefined && faultCanAffect(operation, fault))
}

/** An answer in brief, such as `503 unavailable`. */
const brief = (one: Answer) => [one.status || 'no answer', errorCodeOf(one)].filter(Boolean).join(' ')

/** Fields whose values are the service's to choose: words, moments, and what nothing else follows from. */
const free = new Set(
  'amount body description email kind limit message name packs phone plan prefix published remaining secret status tiers type url usedToday version'.split(
    ' ',
  ),
)

const isFree = (name: string) => free.has(name) || /_at$|Time$/.test(name)

/**
 * The difference between a recorded answer and that of the rebuilt mock, in a few words, in what the specification
 * leaves no choice about; undefined: there is none.
 */
export function answerDifference(
  recorded: unknown,
  answered: unknown,
  at = 'the answer',
): string | undefined {
  if (Array.isArray(recorded)) {
    const others = Array.isArray(answered) ? answered : []
    const byId = new Map(others.map((item) => [idAsText(valueAtPath(item, 'id')), item]))
    const differences = recorded.map((one, i) => {
      const id = idAsText(valueAtPath(one, 'id'))
      const other = id === undefined ? others[i] : byId.get(id)
      return other === undefined
        ? `${at} has ${id ?? 'an entry'}, which the mock has not`
        : answerDifference(one, other, `${at} ${id ?? i}`)
    })
    return differences.find((one) => one !== undefined)
  }
  if (typeof recorded === 'object' && recorded !== null) {
    const names = Object.keys(recorded).filter(
      (name) => !isFree(name) && valueAtPath(answered, name) !== undefined,
    )
    return names
      .map((name) => answerDifference(valueAtPath(recorded, name), valueAtPath(answered, name), name))
      .find((one) => one !== undefined)
  }
  const isSame = recorded === answered || String(recorded).trim() === String(answered).trim()
  if (isSame) return undefined
  if (recorded === undefined) return `${at} is not in the recording`
  return `${at} is ${JSON.stringify(recorded)}; in the mock it is ${JSON.stringify(answered)}`
}
