/** Which rules of docs/specification.md, by anchor, an answer follows. */

import { z } from 'zod'
import { codesOf, type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import sentences from '#contract/sentences.json' with { type: 'json' }
import { type FaultReason, readFaultReason } from '#traffic/fault-reason.ts'
import { redactorOf } from '#traffic/redaction.ts'
import {
  type HistoricalRowReader,
  type RowChange,
  rowsAtTime,
  type TrackedResource,
} from '../core/changes.ts'
import type { Organization } from '../core/organization.ts'
import { type DecidingStage, decidingStages, type RecordedEntry } from '../journal/entry.ts'
import { conditionsAt } from '../pipeline/conditions.ts'
import type { MockParts } from '../pipeline/service.ts'
import { quirkTable } from '../quirks/create.ts'
import { ledgerBalanceOf, organizationThatAnswered, viewResourceRow } from './history.ts'

const row = z.record(z.string(), z.unknown())

const changeView = z.object({
  resource: z.string(),
  id: z.string().nullable(),
  kind: z.enum(['added', 'changed']),
  before: row.nullable(),
  after: row,
  fields: z.array(z.string()),
})
/** A changed row, before and after. `id` is null where it has none, such as the agent; `before`, where it was added. */
type ChangeView = Readonly<z.output<typeof changeView>>

/**
 * Schema of the explanation of an answer: what decided it, and what changed. `earlier`: changes since the request
 * before it; `complete` is false if some of them are no longer kept.
 */
export const explanationSchema = z.object({
  decided_by: z.enum(decidingStages),
  sentence: z.string(),
  /**
   * The fault that applied: where it was requested, its rule, and its text (null if it was not understood).
   * `remaining`: how often the rule applies after this request.
   */
  fault: z
    .object({
      origin: z.enum(['rule', 'state', 'prefer', 'magic']),
      rule: z.string().nullable(),
      fault: z.string().nullable(),
      remaining: z.int().nullable(),
    })
    .nullable(),
  variant: z.enum(variants),
  strict_client: z.string().nullable(),
  quirks: z
    .array(z.object({ id: z.string(), says: z.string() }))
    .describe('Those that made the answer differ.'),
  credits: z.object({ before: z.number(), after: z.number() }).nullable(),
  changes: z.array(changeView),
  earlier: z.array(changeView),
  complete: z.boolean(),
  specification: z.array(z.object({ anchor: z.string(), section: z.string(), sentence: z.string() })),
})
type Why = Readonly<z.output<typeof explanationSchema>>

/** Rules that an `error` code involves besides its own. */
const further: Readonly<Record<string, readonly string[]>> = {
  unauthorized: ['unauthorized-first'],
  no_credits: ['after-402'],
  busy: ['busy-answer', 'busy-starts'],
  rate_limited: ['rate-limit', 'after-429'],
  unavailable: ['after-503'],
}

const ofStatus: Readonly<Record<number, readonly string[]>> = {
  400: ['status-400'],
  409: ['run-already-active'],
  422: ['status-422'],
  500: ['status-500'],
}

const ofStage: Partial<Record<DecidingStage, readonly string[]>> = {
  extended_set: ['core-set-required'],
  route: ['path-prefix'],
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Returns the anchors of the rules behind an answer, the most specific first. */
function anchorsOf({ operation, status, error, decided_by }: RecordedEntry): string[] {
  if (error === null) return operation ? [kebab(operation), ...costOf(operation)] : []
  const code = error === 'internal_error' ? [] : [`error-${error.replaceAll('_', '-')}`]
  const ofCode = further[error] ?? ofStatus[status] ?? []
  const ofOperation = operation && decided_by === 'state' ? refusalsOf(operation, error) : []
  return [...ofOperation, ...code, ...ofCode, ...(ofStage[decided_by] ?? [])]
}

function costOf(operation: OperationId): string[] {
  if (operation === 'runTask') return ['run-reserves']
  return routeOf(operation).cost === 1 ? ['creative-cost'] : []
}

function refusalsOf(operation: OperationId, error: string): string[] {
  if (operation === 'generateCreative') return ['creative-cost']
  return error === 'no_credits' ? ['run-without-credit'] : []
}

/** All anchors of docs/specification.md that explanations of answers link to. */
export const explanationAnchors: readonly string[] = [
  ...new Set([
    ...operationIds.flatMap((operation) => [
      kebab(operation),
      ...costOf(operation),
      ...codesOf(operation).map((code) => `error-${code.replaceAll('_', '-')}`),
      ...codesOf(operation).flatMap((code) => refusalsOf(operation, code)),
    ]),
    ...[further, ofStatus, ofStage].flatMap((table) => Object.values(table).flat()),
  ]),
].filter((anchor) => anchor !== 'error-internal-error')

/** Internal resources, whose changes are not shown. */
const unseen: readonly string[] = [
  'windows',
  'chance',
  'quirks',
  'rules',
  'conditions',
] satisfies TrackedResource[]

/** Returns the changes between two positions, and the spendable credits at each; undefined: they are no longer kept. */
function differenceBetween(org: Organization, from: number, to: number) {
  const changes = org.changes.after(from)
  const [before, after] = [org.changes.past(from), org.changes.past(to)]
  if (!changes || !before || !after) return undefined
  const shown = changes.filter(({ number, resource }) => number <= to && !unseen.includes(resource))
  const rows = new Map(shown.map((one) => [one.row, one]))
  const views = [...rows.values()].flatMap((change) => viewChange(change, before, after))
  return { credits: { before: creditsIn(org, before), after: creditsIn(org, after) }, changes: views }
}

/** Shows a change, unless it tells people nothing, such as a value that was set to what it was. */
function viewChange(
  { resource, row }: RowChange,
  before: HistoricalRowReader,
  after: HistoricalRowReader,
): ChangeView[] {
  const [old, changed] = [before(row), after(row)]
  if (!changed) return []
  const [was, is] = [old && viewResourceRow(old), viewResourceRow(changed)]
  if (resource === 'ledger' && is.amount === 0) return []
  // The kind of entry that the ledger shows.
  if (resource === 'ledger' && Number(is.amount) < 0 && is.kind === 'top_up') is.kind = 'set'
  const fields = Object.keys(is).filter((name) => JSON.stringify(was?.[name]) !== JSON.stringify(is[name]))
  if (fields.length === 0) return []
  const { id } = is
  const kind = was ? 'changed' : 'added'
  return [{ resource, id: typeof id === 'string' ? id : null, kind, before: was, after: is, fields }]
}

const creditsIn = (org: Organization, was: HistoricalRowReader) =>
  ledgerBalanceOf({ ledger: rowsAtTime(org.ledger.entries, was) })

interface Decided {
  readonly entry: RecordedEntry
  readonly fault: FaultReason | undefined
  readonly difference: ReturnType<typeof differenceBetween>
  readonly window: ReturnType<typeof windowOf>
}

const origins = {
  rule: (rule: string | null) => `the fault rule ${rule}`,
  state: () => 'the provider state answer_lost',
  prefer: () => 'the Prefer header',
  magic: () => 'the text',
}

const byStage: Readonly<Record<Exclude<DecidingStage, 'state'>, (decided: Decided) => string>> = {
  authentication: () => 'The request carries no valid credential of the kind that this route takes.',
  route: () => 'No operation has this method and path.',
  preference: () => 'The Prefer header asks for what the mock cannot do.',
  fault: ({ fault }) => `${capital(originOf(fault))} decided the answer before the organization was asked.`,
  rate_limit: ({ window, entry }) =>
    window
      ? `Too many requests: ${window.credential} had used ${window.limit} of ${window.limit} since ${window.since}, until ${window.until}; Retry-After: ${retryAfter(entry)}. The request did not count.`
      : `Too many requests: the key had used up its rate limit; Retry-After: ${retryAfter(entry)}. The request did not count.`,
  availability: () => 'The organization is set to be unavailable.',
  extended_set: () => 'The extended route set is switched off.',
  input: () => 'Body or query do not fit the contract.',
  text: () => 'The text asks for a fault that the mock cannot apply to this operation.',
  bug: () => 'The mock failed. This is a bug of the mock.',
}

const byError: Readonly<Record<string, (decided: Decided) => string>> = {
  no_credits: ({ difference }) =>
    difference
      ? `The organization had ${credits(difference.credits.before)}, and the request costs one.`
      : 'The organization had less than one credit.',
  busy: () => 'The agent was at work: the run is accepted and starts by itself when the agent is free.',
  not_found: () => 'The organization has nothing with this id.',
  invalid_request: () => 'The run of this task is waiting or in progress, so it cannot be run again yet.',
  unavailable: () => 'The generation failed, and its credit was returned.',
}

function sentenceOf(decided: Decided): string {
  const { entry, fault } = decided
  if (entry.decided_by !== 'state') return byStage[entry.decided_by](decided)
  const plain =
    entry.error === null
      ? `The request was handled${effectOf(decided)}.`
      : (byError[entry.error]?.(decided) ?? 'The state of the organization decided the answer.')
  if (!fault) return plain
  if (entry.status === 0) return `${plain} Its answer was never sent: ${originOf(fault)} lost it.`
  return `${plain} ${capital(originOf(fault))} changed the answer or its delivery.`
}

const timeOf = (at: number) => new Date(at).toISOString().slice(11, 19)

function retryAfter({ answerHeaders }: RecordedEntry): string {
  const found = Object.entries(answerHeaders).find(([name]) => name.toLowerCase() === 'retry-after')
  return found === undefined ? 'missing' : String(found[1])
}

function effectOf({ difference }: Decided): string {
  if (!difference) return ''
  const { before, after } = difference.credits
  if (after < before) return `: ${credits(before - after)} reserved`
  return difference.changes.length === 0 ? ', and changed nothing' : ''
}

function originOf(fault: FaultReason | undefined): string {
  if (!fault) return 'a fault'
  const what = fault.fault === null ? '' : ` (${fault.fault})`
  return origins[fault.origin](fault.rule) + what
}

const credits = (count: number) => (count === 1 ? 'one credit' : `${count} credits`)

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Explains why a request got its answer: the rules of the specification that apply, the fault, and the changes before
 * it.
 */
export function explainAnswer(service: MockParts, entry: RecordedEntry): Why {
  const org = organizationThatAnswered(service, entry)
  const difference = org && differenceBetween(org, entry.changes_from, entry.changes_to)
  const fault = readFaultReason(entry.reason)
  const redaction = redactorOf(entry, service.settings.keysOnly)
  return {
    decided_by: entry.decided_by,
    sentence: sentenceOf({ entry, fault, difference, window: org && windowOf(service, org, entry) }),
    fault: fault ?? null,
    variant: entry.variant,
    strict_client:
      (org && conditionsAt(org, org.changes.past(entry.changes_before))?.settings.strictClient) ?? null,
    quirks: quirkTable.flatMap(({ id, title }) => (entry.quirks?.has(id) ? [{ id, says: title }] : [])),
    credits: difference?.credits ?? null,
    changes: redaction.json(difference?.changes ?? []),
    earlier: redaction.json((org && earlierThan(service, org, entry)) ?? []),
    complete: entry.org_id === null || difference !== undefined,
    specification: anchorsOf(entry).flatMap((anchor) =>
      rules[anchor] ? [{ anchor, ...rules[anchor] }] : [],
    ),
  }
}

/** The rate limit window that refused a request, in mock time; undefined if none did, or if it is over. */
function windowOf({ tenants }: MockParts, org: Organization, entry: RecordedEntry) {
  const rule = org.overrides.rate_limit ?? tenants.tenantOf(org)?.settings.rateLimit ?? 'off'
  const credential = entry.key_id ?? Object.keys(org.limiter.dump()).find((one) => !org.keys.get(one))
  const { opened } = org.limiter.dump()[credential ?? ''] ?? {}
  if (entry.decided_by !== 'rate_limit' || rule === 'off' || opened === undefined) return undefined
  const end = opened + rule.window_ms
  if (entry.at < opened || entry.at >= end) return undefined
  return {
    credential: entry.key_id === null ? 'the session' : `the key ${entry.key_id}`,
    limit: rule.limit,
    since: timeOf(opened),
    until: timeOf(end),
  }
}

const rules: Readonly<Record<string, { section: string; sentence: string }>> = sentences

function earlierThan({ journal }: MockParts, org: Organization, entry: RecordedEntry) {
  const before = journal
    .entries()
    .findLast(({ org_id, number }) => org_id === org.id && number < entry.number)
  const from = before?.changes_to
  if (from === undefined || from >= entry.changes_from) return undefined
  return differenceBetween(org, from, entry.changes_from)?.changes
}
