/** The mock and its organizations at a glance, their time, and which organization the page shows. */
import { batch, computed, signal } from '@preact/signals-core'
import { maxHttpDateMs } from '#mocks/core/clock.ts'
import type { FaultVocabulary, ScenarioView } from '../model/fault-rule.ts'
import type { OrganizationView, Overview, OverviewStreamMessage } from '../model/organization.ts'
import { addressParam, changeAddress, continueUnlessAddressChanged } from './address.ts'
import { callControlRoute } from './calls.ts'
import { runWithNotice } from './notices.ts'

/** The mock's version, seed and settings, as a signal; undefined: not loaded yet. */
export const mockOverview = signal<Overview['mock'] | undefined>(undefined)
/** A summary of each organization by id, newest first, as a signal. */
export const organizationsById = signal<ReadonlyMap<string, OrganizationView>>(new Map())

/** The id of the organization that is shown where the address names none; empty if it is not known yet. */
export const defaultOrganizationId = signal('')

/**
 * The organization that the page shows: the one that the address names, or else the one that was the oldest when the
 * page was opened. Undefined: there is none, or it was reset and not created again.
 */
export const shownOrganization = computed(() =>
  organizationsById.value.get(addressParam('org') || defaultOrganizationId.value),
)

/** The fault rules that still apply, without the one that `chaos` adds. */
export const activeFaultRules = computed(() =>
  (mockOverview.value?.faults ?? []).filter(({ remaining, id }) => remaining !== 0 && id !== 'chaos'),
)

/** The settings of the shown organization that differ from those it was created with. */
export const changedOrganizationSettings = computed(() => shownOrganization.value?.set ?? [])

/** Updates the mock and its organizations from a message of the stream of overviews. */
export function applyOverview({ mock: now, organizations: found, existing }: OverviewStreamMessage): void {
  const all = new Map(organizationsById.peek())
  for (const org of found) {
    arrived.set(org.clock, Date.now())
    all.set(org.org_id, org)
  }
  const known = existing.flatMap((id) => all.get(id) ?? [])
  batch(() => {
    mockOverview.value = now
    organizationsById.value = new Map(known.map((org) => [org.org_id, org]))
    if (defaultOrganizationId.peek() === '' || known.length === 0)
      defaultOrganizationId.value = known.at(-1)?.org_id ?? ''
  })
}

/** Creates an organization with some options and switches to it. Returns whether it succeeded. */
export const createAndOpenOrganization = (options: object): Promise<boolean> =>
  runWithNotice('Create an organization', () =>
    continueUnlessAddressChanged(callControlRoute('POST /organizations', { body: options }), ({ org_id }) =>
      changeAddress({ org: org_id }),
    ),
  )

/** The name of the organization that the page creates in a mock without any. */
export const defaultOrganizationName = 'demo'

/** Returns the organization that is shown; creates one in an empty mock. @throws Error if the mock has only others. */
export async function getOrCreateShownOrganization(): Promise<{
  readonly org_id: string
  readonly key_name: string
}> {
  const org = shownOrganization.peek()
  if (org) return org
  if (organizationsById.peek().size > 0) throw new Error('choose an organization first')
  const { org_id } = await callControlRoute('POST /organizations', {
    body: { name: defaultOrganizationName },
  })
  defaultOrganizationId.value = org_id
  return { org_id, key_name: defaultOrganizationName }
}

/** Interval at which shown times are updated, ms. */
const step = 250

/** Real time, ms since the epoch, updated while the page is visible. */
const tick = signal(Date.now())
setInterval(() => {
  if (!document.hidden) tick.value = Date.now()
}, step)

/** When the page received each view of a clock, real time, ms since the epoch. */
const arrived = new WeakMap<OrganizationView['clock'], number>()

/** The present mock time, ms since the epoch: a running clock has moved on since its view arrived. */
export function mockTimeNow(clock: OrganizationView['clock']): number {
  const at = Date.parse(clock.now)
  const start = arrived.get(clock)
  return clock.frozen || start === undefined
    ? at
    : Math.min(maxHttpDateMs, at + Math.max(0, tick.value - start))
}

/** The words that fault rules consist of; undefined: not loaded yet. */
export const faultVocabulary = signal<FaultVocabulary | undefined>(undefined)

/** The scenarios of the mock; undefined: not loaded yet. */
export const scenarios = signal<readonly ScenarioView[] | undefined>(undefined)

let asked = false

/** Loads `faultVocabulary` and `scenarios` on the first call; if that fails, the next call tries again. */
export async function loadVocabularyAndScenarios(): Promise<void> {
  if (asked) return
  asked = true
  asked = await runWithNotice('Load the vocabulary', async () => {
    const [words, list] = await Promise.all([
      callControlRoute('GET /vocabulary'),
      callControlRoute('GET /scenarios'),
    ])
    faultVocabulary.value = words
    scenarios.value = list.scenarios
  })
}
