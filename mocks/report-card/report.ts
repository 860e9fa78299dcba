/** The card of what a mock has seen so far: of one organization, or of all and of nobody known. */
import type { Organization } from '../core/organization.ts'
import type { JournalEntry } from '../journal.ts'
import type { Service } from '../service.ts'
import type { Card } from './card.ts'
import { conductOf, conductOfStrangers } from './conduct.ts'
import { type Chapter, judge } from './judge.ts'

/** How a card is made. */
export interface ReportOptions {
  /** Advice (SHOULD) fails the card too. */
  readonly strict?: boolean | undefined
  /** How the client ended, where it has: what it left undone can be judged then. */
  readonly end?: { readonly ok: boolean } | undefined
  /** The same in a few words, for people. */
  readonly note?: string | undefined
  /** What the card calls these requests; the id of the organization without it. */
  readonly label?: string | undefined
}

type Source = Pick<Service, 'journal' | 'tenancy' | 'world'>

/** Judges what an organization asked, or what everybody asked of a mock. */
export function report(source: Source, org?: Organization, options: ReportOptions = {}): Card {
  const { strict = false, end, note, label } = options
  const entries = source.journal.entries()
  const conducts = org ? [conductOf(org, entries, end)] : conductsOf(source, entries, end)
  const chapters = conducts.map((conduct): Chapter => {
    const id = conduct.context.org_id ?? 'nobody'
    return {
      id: label === undefined ? id : conducts.length > 1 ? `${label}, ${id}` : label,
      conduct,
      end: note,
    }
  })
  if (chapters.length === 0 && label !== undefined)
    chapters.push({ id: label, conduct: conductOfStrangers([], source.world.clock.now(), end), end: note })
  return judge(chapters, strict)
}

/** The conduct of each organization that was asked something, and of nobody known. */
function conductsOf({ tenancy, world }: Source, entries: readonly JournalEntry[], end: ReportOptions['end']) {
  const byOrg = Map.groupBy(entries, ({ org_id }) => org_id)
  const strangers = new Set(byOrg.get(null))
  const conducts = tenancy.organizations().map((org) => {
    const nearby = [...(byOrg.get(org.id) ?? []), ...(byOrg.get(null) ?? [])]
    const conduct = conductOf(
      org,
      nearby.sort((a, b) => a.number - b.number),
      end,
    )
    for (const entry of conduct.entries) strangers.delete(entry)
    return conduct
  })
  const unknown = conductOfStrangers([...strangers], world.clock.now(), end)
  return [...conducts, unknown].filter((conduct) => conduct.entries.length > 0)
}
