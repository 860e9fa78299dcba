/** Why a request got its answer: what decided it, what it changed, and which rules of the specification it follows. */
import type { Variant } from '#contract/route.ts'
import { redactionOf } from '#traffic/redaction.ts'
import type { Organization } from '../../core/organization.ts'
import type { RecordedEntry, Stage } from '../../journal/stage.ts'
import type { Service } from '../../pipeline/service.ts'
import { quirks } from '../../quirks/index.ts'
import { anchorsOf } from './anchors.ts'
import { type ChangeView, differenceBetween } from './changes.ts'
import { type FaultOrigin, readReason } from './reason.ts'
import { sentenceOf, type Window } from './sentence.ts'
import sentences from './sentences.json' with { type: 'json' }

/** A rule of docs/specification.md. */
export interface SpecificationRule {
  readonly anchor: string
  readonly section: string
  readonly sentence: string
}

/** Why a request got its answer. */
export interface Why {
  readonly decided_by: Stage
  readonly sentence: string
  /** The fault that applied; null: none. */
  readonly fault: FaultOrigin | null
  readonly variant: Variant
  /** The seed of legal variations in the answer (`--strict-client`); null: none. */
  readonly strict_client: string | null
  /** The quirks that made the answer differ, in a sentence each. */
  readonly quirks: readonly { readonly id: string; readonly says: string }[]
  /** Spendable credits; null: not authenticated, or no longer kept. */
  readonly credits: { readonly before: number; readonly after: number } | null
  /** What the request changed. */
  readonly changes: readonly ChangeView[]
  /** What time and operators changed since the request of the organization before it. */
  readonly earlier: readonly ChangeView[]
  /** False: the changes are no longer kept. */
  readonly complete: boolean
  readonly specification: readonly SpecificationRule[]
}

/** Explains the answer to a request. */
export function explain(service: Service, entry: RecordedEntry): Why {
  const org = entry.org_id === null ? undefined : service.tenants.existing(entry.org_id)
  const difference = org && differenceBetween(org, entry.changes_from, entry.changes_to)
  const fault = readReason(entry.reason)
  const redaction = redactionOf(entry, service.settings.keysOnly)
  return {
    decided_by: entry.decided_by,
    sentence: sentenceOf({ entry, fault, difference, window: org && windowOf(service, org, entry) }),
    fault: fault ?? null,
    variant: entry.variant,
    strict_client: (org && service.tenants.tenantOf(org)?.settings.strictClient) ?? null,
    quirks: quirks.flatMap(({ id, title }) => (entry.quirks?.has(id) ? [{ id, says: title }] : [])),
    credits: difference?.credits ?? null,
    changes: redaction.json(difference?.changes ?? []),
    earlier: redaction.json((org && earlierThan(service, org, entry)) ?? []),
    complete: entry.org_id === null || difference !== undefined,
    specification: anchorsOf(entry).flatMap(ruleAt),
  }
}

/** The rate window that refused a request, while it is still kept. */
function windowOf({ tenants }: Service, org: Organization, entry: RecordedEntry): Window | undefined {
  const rule = org.overrides.rate_limit ?? tenants.tenantOf(org)?.settings.rateLimit ?? 'off'
  const credential = entry.key_id ?? Object.keys(org.limiter.dump()).find((one) => !org.keys.get(one))
  const { opened } = org.limiter.dump()[credential ?? ''] ?? {}
  if (entry.decided_by !== 'rate_limit' || rule === 'off' || opened === undefined) return undefined
  const end = opened + rule.window_ms
  if (entry.at < opened || entry.at >= end) return undefined
  const [since, until] = [opened, end].map((at) => new Date(at).toISOString())
  return {
    credential: entry.key_id === null ? 'the session' : `the key ${entry.key_id}`,
    limit: rule.limit,
    since: since ?? '',
    until: until ?? '',
  }
}

const rules: Readonly<Record<string, { section: string; sentence: string }>> = sentences

function ruleAt(anchor: string): SpecificationRule[] {
  const rule = rules[anchor]
  return rule ? [{ anchor, ...rule }] : []
}

function earlierThan(
  { journal }: Service,
  org: Organization,
  entry: RecordedEntry,
): readonly ChangeView[] | undefined {
  const before = journal
    .entries()
    .findLast(({ org_id, number }) => org_id === org.id && number < entry.number)
  const from = before?.changes_to
  if (from === undefined || from >= entry.changes_from) return undefined
  return differenceBetween(org, from, entry.changes_from)?.changes
}
