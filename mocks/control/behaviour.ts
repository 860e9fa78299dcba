/** Switches chaos and quirks of an organization that exists; what it has stays. */
import { type OptionProblem, type Options, readOptions } from '../config/options.ts'
import type { Organization } from '../core/organization.ts'
import type { Service } from '../pipeline/service.ts'
import { readSettings } from '../scenarios/index.ts'

/** What to switch; undefined: it stays as it is. */
export interface Behaviour {
  /** The seed of quirks, or their ids with commas between them; false: none. */
  readonly strictClient?: boolean | string | number | undefined
  /** Share of requests that get a fault, 0 to 1; 0: none. */
  readonly chaos?: string | number | undefined
  /** Seed of chaos; undefined: that of the mock. */
  readonly chaosSeed?: string | undefined
}

/** The id of the rule of chaos. */
const chaosRule = 'chaos'

/** Switches chaos and quirks, until a reset; returns the invalid options, in which case nothing changes. */
export function switchBehaviour(
  service: Service,
  org: Organization,
  { strictClient, chaos, chaosSeed }: Behaviour,
): readonly OptionProblem[] {
  const { tenants, faults, options } = service
  const name = tenants.nameOf(org) ?? ''
  const own = { ...(tenants.ownOptions(name) ?? tenants.settings.options ?? options) }
  const settings = readSettings(strictClient === undefined ? own : ({ ...own, strictClient } as Options))
  const read = readOptions(chaos === undefined ? {} : ({ chaos } as Options))
  if (Array.isArray(settings)) return settings
  if (Array.isArray(read)) return read
  if (strictClient !== undefined) tenants.change(name, settings)
  if (chaos !== undefined) {
    faults.remove(chaosRule, org.id)
    const seed = chaosSeed === undefined ? {} : { seed: chaosSeed }
    // A rule that never fires replaces that of the mock.
    const isOn = faults.list(org.id).some(({ id }) => id === chaosRule)
    for (const rule of read.faults)
      if (rule.rate !== 0 || isOn) faults.add({ ...rule, ...seed, id: chaosRule, org_id: org.id })
  }
  return []
}
