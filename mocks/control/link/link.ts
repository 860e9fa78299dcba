/** A state as a link or a file: whoever opens it, on this mock or another, has the same organization. */
import { settingsOf } from '../../config/key-options.ts'
import type { Options } from '../../config/options.ts'
import type { Organization } from '../../core/organization.ts'
import type { OrganizationState } from '../../core/state.ts'
import type { Service } from '../../pipeline/service.ts'
import { readSettings } from '../../scenarios/settings.ts'
import { birthOf } from '../../tenants/organization-factory.ts'
import { faultsAt } from '../history/faults-at.ts'
import type { Moment } from '../history/organization-at.ts'
import { BadSnapshot } from '../snapshot/restore.ts'
import type { Snapshot, TenantState } from '../snapshot/snapshot.ts'
import { takeSnapshot } from '../snapshot/take.ts'
import { type CompactState, compact, expand } from './compact.ts'
import { pack, unpack } from './packed.ts'

type OneSnapshot = Extract<Snapshot, { of: 'organization' }>

/** The longest fragment that programs for chat and mail keep whole, characters. */
export const longestFragment = 6_000

/** Returns a snapshot of an organization that brings along its clock and the fault rules that apply to it. */
export function portable(service: Service, org: Organization, moment: Moment): OneSnapshot {
  const { at, state } = moment
  const snapshot = takeSnapshot(service, org) as OneSnapshot
  const faults = faultsAt(service, org, moment)
  const forAll = service.faults.dump().rules.filter(({ first }) => !(faults.apart && first))
  return structuredClone({
    ...snapshot,
    organization: {
      ...snapshot.organization,
      faults: {
        ...faults,
        apart: true,
        rules: [...faults.rules, ...forAll.map(({ first: _, ...rule }) => rule)],
      },
      state: { ...state, clock: { now: at, frozen: org.clock.frozen } },
    },
  })
}

/** Returns the fragment of a link that restores a snapshot. */
export async function fragmentOf({ organization }: OneSnapshot): Promise<string> {
  const state = compact(organization.state, birth(organization))
  return `state=${await pack(JSON.stringify({ version: 1, ...organization, state }))}`
}

/** Returns the snapshot of a fragment; it is not yet validated. @throws BadSnapshot for anything else. */
export async function readFragment(fragment: string): Promise<object> {
  const packed = fragment.replace(/^#?state=/, '')
  try {
    const { version, ...organization } = JSON.parse(await unpack(packed))
    const state = expand(organization.state as CompactState, birth(organization))
    return { of: 'organization', version, organization: { ...organization, state } }
  } catch {
    throw new BadSnapshot('This link holds no state, or was cut off; copy it again, whole.')
  }
}

/** The state of an organization when it is created with its name and options. */
function birth({
  name,
  created = '',
  options,
}: Pick<TenantState, 'name' | 'created' | 'options'>): OrganizationState {
  const base = readSettings(options as Options)
  const settings = Array.isArray(base) ? base : settingsOf(name + created, base, readSettings)
  if (Array.isArray(settings)) throw new BadSnapshot('The options of this state are not valid here.')
  return birthOf(name, settings)
}
