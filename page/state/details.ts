/** Everything about the organization that the page shows: now, or as it was right after a request. */
import { computed, signal } from '@preact/signals-core'
import type { State } from '../model/answers.ts'
import { address, param, type View } from './address.ts'
import { control, Refusal } from './calls.ts'
import { keepLoaded, longRest } from './changes.ts'
import { attempt } from './notices.ts'
import { organization } from './overview.ts'

/** The details; undefined: not loaded yet, or there is no organization. */
export const details = signal<(State & { readonly org_id: string }) | undefined>(undefined)
/** Why they cannot be shown; undefined: they can. */
export const unavailable = signal<string | undefined>(undefined)
/** The number of the request after which the page shows the organization; empty: now. */
export const moment = computed(() => param('at'))

const chosen = computed(() => organization.value?.org_id)

/** The views that show none of it, unless it is of the past. */
const without: ReadonlySet<View> = new Set<View>(['break', 'requests', 'reports'])
const shown = computed(() => moment.value !== '' || !without.has(address.value.view))

/** Where nothing of it is shown, it stays as it is. */
async function load() {
  const org_id = chosen.value
  if (!shown.value || !org_id) return details.peek()
  const query = { org_id, at: moment.value }
  return { org_id, ...(await control<State>('GET /organization', { query })) }
}

/** Keeps the details loaded until the page is closed. */
export const keepDetails = (): (() => void) =>
  keepLoaded(
    load,
    (loaded, error) => {
      // The connection shows that nothing answers; the next change loads again.
      if (error && !(error instanceof Refusal)) return
      unavailable.value = (error as Refusal | undefined)?.message
      if (!error) details.value = loaded
    },
    { key: () => `${chosen.value} ${moment.value} ${shown.value}`, rest: longRest },
  )

/** Makes a control call for the organization, and loads what it changed. Returns whether it succeeded. */
export const act = (what: string, route: string, body: object = {}, done?: string): Promise<boolean> =>
  attempt(what, () => control(route, { body: { org_id: organization.peek()?.org_id, ...body } }), done)

/** Sets up or tears down a provider state of the organization. */
export const arrange = (state: string, on: boolean, params: object = {}): Promise<boolean> =>
  act(`State ${state}`, 'POST /states', {
    org_id: undefined,
    state,
    params: { org_id: organization.peek()?.org_id, ...params },
    action: on ? 'setup' : 'teardown',
  })
