/** The mock and its organizations at a glance, and which organization the page shows. */
import { batch, computed, signal } from '@preact/signals'
import type { MockView, OrgView, Overview } from '../model/answers.ts'
import { param } from './address.ts'
import { control } from './calls.ts'

/** The mock; undefined: not loaded yet. */
export const mock = signal<MockView | undefined>(undefined)
/** The organizations by id, the one used last first. */
export const organizations = signal<ReadonlyMap<string, OrgView>>(new Map())
/** Grows when fault rules change or apply. */
export const faultsChanged = signal(0)

/** The organization that the address names; without a name, the first one; undefined: there is none. */
export const organization = computed((): OrgView | undefined => {
  const id = param('org')
  return id === '' ? organizations.value.values().next().value : organizations.value.get(id)
})

/** Takes an overview: of the mock, and of all organizations or those that changed. */
export function takeOverview(overview: Overview): void {
  const all = new Map(organizations.peek())
  for (const org of overview.organizations) {
    // A reset gives an organization a new id.
    for (const [id, { key_name }] of all) if (key_name === org.key_name && id !== org.org_id) all.delete(id)
    all.set(org.org_id, org)
  }
  batch(() => {
    mock.value = overview.mock
    organizations.value = all
    faultsChanged.value = overview.faults_changed
  })
  if (all.size > overview.mock.organizations) void loadOverview().catch(() => undefined)
}

/** Loads everything anew. @throws Refusal */
export async function loadOverview(): Promise<void> {
  const overview = await control<Overview>('GET /overview')
  organizations.value = new Map()
  takeOverview({ ...overview, mock: { ...overview.mock, organizations: Number.POSITIVE_INFINITY } })
}
