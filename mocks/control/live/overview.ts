/** The mock at a glance, and its organizations. */
import suite from '../../../package.json' with { type: 'json' }
import type { Organization } from '../../core/organization.ts'
import type { Service } from '../../pipeline/service.ts'
import { type OrganizationView, viewOrganization } from './organization-view.ts'

/** The most organizations in an overview; the newest count. */
const mostOrganizations = 200

/** The most fault rules in an overview. */
const mostRules = 200

/** The mock at a glance. */
export type MockView = ReturnType<typeof viewMock>

/** The mock and its organizations at a glance. */
export interface Overview {
  readonly mock: MockView
  /** Newest first. */
  readonly organizations: readonly OrganizationView[]
}

/** Returns an overview of the mock, or of one organization. */
export function viewOverview(service: Service, org?: Organization): Overview {
  const { tenants } = service
  const shown = org ? [org] : tenants.organizations().slice(-mostOrganizations).reverse()
  const found = shown.flatMap((one) => tenants.tenantOf(one) ?? [])
  return { mock: viewMock(service), organizations: found.map((tenant) => viewOrganization(service, tenant)) }
}

function viewMock({ clock, settings, tenants, journal, faults }: Service) {
  return {
    version: suite.version,
    now: new Date(clock.now()).toISOString(),
    frozen: clock.frozen,
    seed: settings.seed,
    variant: settings.variant,
    extended: settings.extended,
    scenario: settings.scenario?.id ?? null,
    strict_client: settings.strictClient ?? null,
    chaos: settings.chaos ?? null,
    keys_only: settings.keysOnly !== undefined,
    organizations: tenants.organizations().length,
    journal: { size: journal.size, oldest: journal.oldest, newest: journal.newest },
    faults: faults.list().slice(0, mostRules),
  }
}
