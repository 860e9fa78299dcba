/** Switches chaos and quirks of an organization that exists; what it has stays. */
import { z } from 'zod'
import { type OptionProblem, type Options, readOptions } from '../config/options.ts'
import type { Organization } from '../core/organization.ts'
import type { Service } from '../pipeline/service.ts'
import { readSettings } from '../scenarios/index.ts'

/** Fields of what to switch; undefined: it stays as it is. */
export const behaviour = {
  strictClient: z
    .union([z.boolean(), z.string(), z.number()], 'takes a seed, ids of quirks, true or false')
    .optional()
    .describe('The seed of quirks, or ids with commas between them; `false`: none.'),
  chaos: z
    .union([z.string(), z.number()], 'takes the share of requests that get a fault')
    .optional()
    .describe('Share of requests that get a random fault, 0 to 1; 0: none.'),
  chaosSeed: z.string().optional().describe('Default: the seed of the mock.'),
}
type Behaviour = Readonly<z.output<z.ZodObject<typeof behaviour>>>

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
