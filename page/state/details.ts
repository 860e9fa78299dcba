/** Everything about the organization that the page shows: now, or as it was right after a request. */
import { computed, signal } from '@preact/signals'
import type { State } from '../model/answers.ts'
import { address, param, type View } from './address.ts'
import { control, Refusal } from './calls.ts'
import { acted, keepLoaded, longRest } from './changes.ts'
import { attempt } from './notices.ts'
import { organization } from './overview.ts'

/** The details; undefined: not loaded yet, or there is no organization. */
export const details = signal<State | undefined>(undefined)
/** Why they cannot be shown; undefined: they can. */
export const unavailable = signal<string | undefined>(undefined)
/** The number of the request after which the page shows the organization; empty: now. */
export const moment = computed(() => param('at'))

const chosen = computed(() => organization.value?.org_id)

/** The views that show none of it, unless it is of the past. */
const without: ReadonlySet<View> = new Set<View>(['break', 'requests', 'reports'])
const shown = computed(() => moment.value !== '' || !without.has(address.value.view))

async function load(org_id: string | undefined, at: string): Promise<void> {
  try {
    const query = { org_id, at }
    const loaded = org_id && (await control<State>('GET /organization', { query }))
    if (chosen.peek() !== org_id || moment.peek() !== at) return
    details.value = loaded || undefined
    unavailable.value = undefined
  } catch (error) {
    // The connection shows that nothing answers; the next change loads again.
    if (error instanceof Refusal) unavailable.value = error.message
  }
}

/** Keeps the details loaded until the page is closed. */
export const keepDetails = (): (() => void) =>
  keepLoaded(async () => (shown.value ? load(chosen.value, moment.value) : undefined), {
    key: () => `${chosen.value} ${moment.value} ${shown.value}`,
    rest: longRest,
  })

/** Makes a control call for the organization, and loads what it changed. Returns whether it succeeded. */
export const act = (what: string, route: string, body: object = {}, done?: string): Promise<boolean> =>
  attempt(
    what,
    async () => {
      await control(route, { body: { org_id: organization.peek()?.org_id, ...body } })
      acted()
    },
    done,
  )

/** Sets up or tears down a provider state of the organization. */
export const arrange = (state: string, on: boolean, params: object = {}): Promise<boolean> =>
  act(`State ${state}`, 'POST /states', {
    org_id: undefined,
    state,
    params: { org_id: organization.peek()?.org_id, ...params },
    action: on ? 'setup' : 'teardown',
  })
