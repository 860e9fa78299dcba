/** The parts of the catalogue that several machines test at the same time. */
import { catalogue } from '../catalogue/index.ts'
import { isProbe } from '../harness/requirement.ts'
import type { Shard } from '../harness/settings.ts'

/** Requirements whose ids begin alike share evidence, so they stay together. */
const groupOf = (id: string) => id.split('-')[0] ?? id

/**
 * Whether a part tests a requirement. Groups are dealt by size, so that parts are similar; every part reads its own
 * traffic for the requirements that need no requests.
 */
export function isInShard(id: string, { part, of }: Shard): boolean {
  const requirement = catalogue.find((one) => one.id === id)
  if (!requirement || !isProbe(requirement)) return true
  return partOf(groupOf(id), of) === part
}

function partOf(group: string, of: number): number {
  const groups = Object.entries(Object.groupBy(catalogue.filter(isProbe), ({ id }) => groupOf(id)))
  const sizes = groups.map(([name, members = []]) => ({ name, size: members.length }))
  const loads = Array.from({ length: of }, () => 0)
  for (const { name, size } of sizes.toSorted((a, b) => b.size - a.size)) {
    const least = loads.indexOf(Math.min(...loads))
    if (name === group) return least + 1
    loads[least] = (loads[least] ?? 0) + size
  }
  return 1
}
