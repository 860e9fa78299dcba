/** The parts of the catalogue that several machines test at the same time. */
import { catalogue } from '../catalogue/index.ts'
import { isProbe } from '../harness/requirement.ts'
import type { Shard } from '../harness/settings.ts'

/** Requirements whose ids begin alike share evidence, so they stay together. */
const groupOf = (id: string) => id.split('-')[0] ?? id

const probes = new Set(catalogue.filter(isProbe).map(({ id }) => id))

/** The part of each group, by the number of parts. */
const deals = new Map<number, ReadonlyMap<string, number>>()

/**
 * Whether a part tests a requirement. Groups are dealt by size, so that parts are similar; every part reads its own
 * traffic for the requirements that need no requests.
 */
export function isInShard(id: string, { part, of }: Shard): boolean {
  if (!probes.has(id)) return true
  const parts = deals.get(of) ?? deal(of)
  deals.set(of, parts)
  return parts.get(groupOf(id)) === part
}

function deal(of: number): ReadonlyMap<string, number> {
  const sizes = Map.groupBy(probes, groupOf)
  const loads = Array.from({ length: of }, () => 0)
  const parts = new Map<string, number>()
  for (const [name, { length }] of [...sizes].toSorted(([, a], [, b]) => b.length - a.length)) {
    const least = loads.indexOf(Math.min(...loads))
    parts.set(name, least + 1)
    loads[least] = (loads[least] ?? 0) + length
  }
  return parts
}
