/** The page: what surrounds every view, and its start once the browser has painted what the HTML itself shows. */
import { effect } from '@preact/signals-core'
import { type FunctionComponent, render } from 'preact'
import { Button } from './parts/button.tsx'
import { PastNotice } from './parts/card.tsx'
import { focusOn, listenToKeys } from './parts/list.tsx'
import { Notices } from './parts/notices.tsx'
import { countText, formatNumber } from './parts/text.ts'
import { addressParam, changeAddress, hrefOf, parsedAddress, type ViewId, views } from './state/address.ts'
import { connectionState, receiveMockEvents } from './state/live.ts'
import {
  activeFaultRules,
  changedOrganizationSettings,
  mockOverview,
  organizationsById,
  shownOrganization,
} from './state/overview.ts'
import { keepStateLoaded, requestRate, requestTotal } from './state/requests.ts'
import { BreakView } from './views/break/index.tsx'
import { ResourcesView } from './views/data/index.tsx'
import { OverviewView } from './views/overview/index.tsx'
import { listenToDroppedFiles, ReportsView } from './views/reports/index.tsx'
import { RequestsView } from './views/requests/index.tsx'
import { TasksView } from './views/tasks/index.tsx'
import { TimeTravelView } from './views/travel/index.tsx'

const shownBy: Readonly<Record<ViewId, FunctionComponent>> = {
  overview: OverviewView,
  tasks: TasksView,
  data: ResourcesView,
  break: BreakView,
  requests: RequestsView,
  travel: TimeTravelView,
  reports: ReportsView,
}

const states = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost; trying again' }

function Connection() {
  const state = connectionState.value
  return (
    <p class={`pill ${state}`} role="status">
      {states[state]}
    </p>
  )
}

function Counts() {
  return (
    <p class="counts muted">
      Requests: <span class="number">{formatNumber(requestTotal.value)}</span> per second:{' '}
      <span class="number">{formatNumber(requestRate.value)}</span>
    </p>
  )
}

function OrganizationChoice() {
  const all = [...organizationsById.value.values()]
  return (
    <label class="organization">
      <span>Organization</span>
      <select
        value={shownOrganization.value?.org_id ?? ''}
        onChange={(event) =>
          changeAddress({ org: event.currentTarget.value, at: undefined, task: undefined, id: undefined })
        }
      >
        {!shownOrganization.value && <option value="">{all.length === 0 ? 'none yet' : 'not shown'}</option>}
        {all.map(({ org_id, name, key_name }) => (
          <option key={org_id} value={org_id}>
            {key_name} ({name})
          </option>
        ))}
      </select>
    </label>
  )
}

function Navigation() {
  const { view } = parsedAddress.value
  return (
    <nav aria-label="Views">
      {(Object.keys(views) as ViewId[]).map((id) => (
        <a key={id} href={hrefOf(id)} aria-current={id === view ? 'page' : undefined}>
          {views[id]}
        </a>
      ))}
    </nav>
  )
}

function Shell() {
  const { view } = parsedAddress.value
  const Shown = shownBy[view]
  return (
    <>
      <button type="button" class="skip" onClick={() => focusOn('main')}>
        Skip to the content
      </button>
      <header class="top">
        <h1>
          work-agent mock <span class="muted">{mockOverview.value?.version}</span>
        </h1>
        <Connection />
        {activeFaultRules.value.length + changedOrganizationSettings.value.length > 0 && (
          <a class="mark" href={hrefOf('break')} aria-current={view === 'break' || undefined}>
            {[
              activeFaultRules.value.length > 0 &&
                `${countText(activeFaultRules.value.length, 'fault')} armed`,
              changedOrganizationSettings.value.length > 0 &&
                `${formatNumber(changedOrganizationSettings.value.length)} set`,
            ]
              .filter(Boolean)
              .join(', ')}
          </a>
        )}
        <Counts />
        <OrganizationChoice />
        <Button text="?" kind="small" label="Keyboard help" act={() => changeAddress({ help: 1 })} />
        <Navigation />
      </header>
      <main class={view} aria-label={views[view]} tabIndex={-1}>
        <PastNotice />
        <Shown />
      </main>
      <Notices />
    </>
  )
}

/** Keeps the dialog that lists the keys, which is in the HTML, open while the address says so. */
function keepHelp(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#help')
  effect(() => {
    if (addressParam('help') === '') dialog?.close()
    else if (!dialog?.open) dialog?.showModal()
  })
  // These events come before `close`, which comes only after keys that were pressed later.
  for (const event of ['cancel', 'submit'])
    dialog?.addEventListener(event, () => changeAddress({ help: undefined }, { quiet: true }))
}

function start(): void {
  render(<Shell />, document.getElementById('page') as HTMLElement)
  listenToKeys()
  keepHelp()
  keepStateLoaded()
  listenToDroppedFiles()
}

receiveMockEvents()
// A hidden page is not painted.
if (document.hidden) start()
else requestAnimationFrame(() => setTimeout(start))
