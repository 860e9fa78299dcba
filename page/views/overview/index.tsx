/** Overview: every organization at a glance, the credits of the one that is chosen, and its ledger. */
import type { OrganizationState, OrganizationView } from '../../model/organization.ts'
import { Button, CopyButton, CopyLine, Toggle } from '../../parts/button.tsx'
import { Card, WithLoadedState } from '../../parts/card.tsx'
import { Form, SelectField, SingleLineTextField } from '../../parts/form.tsx'
import { countText, formatMoment, formatNumber } from '../../parts/text.ts'
import { hrefOf } from '../../state/address.ts'
import { callControlRoute } from '../../state/calls.ts'
import { runUndoable, saveStateForUndo } from '../../state/moments.ts'
import {
  createAndOpenOrganization,
  mockOverview,
  organizationsById,
  shownOrganization,
} from '../../state/overview.ts'
import { callControlForShownOrganization, shownMoment, takeAllCreditsWithUndo } from '../../state/requests.ts'
import { AgentCard, ClockCard, RateLimitCard } from './controls.tsx'
import { BalanceCard } from './ledger.tsx'

const agentStates = { idle: 'idle', busy: 'running', other_work: 'busy' }

/** Credits, agent and key of each organization, and a form for a new one. */
function OrganizationsCard() {
  const all = [...organizationsById.value.values()]
  return (
    <Card title="Organizations" aside={countText(mockOverview.value?.organizations ?? 0, 'organization')}>
      <ul class="tiles">
        {all.map((org) => (
          <Tile key={org.org_id} org={org} />
        ))}
      </ul>
      {shownMoment.value === '' && (
        <details>
          <summary>New organization</summary>
          <NewOrganization />
        </details>
      )}
    </Card>
  )
}

function Tile({ org }: { readonly org: OrganizationView }) {
  const { org_id, key_name, name, credits, agent, unread } = org
  const here = shownOrganization.value?.org_id === org_id
  return (
    <li class="tile">
      <a href={hrefOf('overview', { org: org_id, at: undefined })} aria-current={here ? 'true' : undefined}>
        <strong>{key_name}</strong>
        <span class="muted">{name}</span>
        <span class="large number">{countText(credits, 'credit')}</span>
        <span class="muted">
          {agentStates[agent.state]}
          {agent.queue.length > 0 && `, ${agent.queue.length} waiting`}
          {unread > 0 && `, ${formatNumber(unread)} unread`}
        </span>
      </a>
      {org.counts.keys !== 0 && (
        <CopyButton what={`key of ${key_name}`} text={org.api_key} label="Copy key" />
      )}
    </li>
  )
}

const outcomes = [
  ['', 'complete'],
  ['failed', 'fail'],
  ['0.5', 'fail half the time'],
] as const

function NewOrganization() {
  return (
    <Form label="New organization" button="Create" submit={createAndOpenOrganization}>
      <SingleLineTextField name="name" label="Name" required size={12} />
      <SingleLineTextField name="credits" label="Credits" type="number" min={0} step="any" size={6} />
      <SelectField
        name="variant"
        label="Variant"
        options={[
          ['', 'of the mock'],
          ['first', 'first'],
          ['second', 'second'],
        ]}
      />
      <SelectField name="runOutcome" label="Runs" options={outcomes} />
      <SingleLineTextField name="runDuration" label="Run takes" placeholder="2s" size={6} />
    </Form>
  )
}

/** The variant, the extended route set, resets, and what identifies the organization. */
function SettingsCard({ org }: { readonly org: OrganizationView }) {
  const second = org.variant === 'second'
  const reset = () =>
    runUndoable(
      'Reset',
      () => saveStateForUndo(org.org_id),
      () =>
        callControlRoute('POST /reset', {
          body: { org_id: org.org_id, parts: ['state', 'faults', 'clock'] },
        }),
      `${org.key_name} is as it began`,
    )
  return (
    <Card title="Variant and routes">
      <Toggle
        label={`Second variant${org.variant === 'mixed' ? ' (now mixed)' : ''}`}
        on={second}
        set={() =>
          callControlForShownOrganization('Variant', 'PUT /settings', {
            variant: second ? 'first' : 'second',
          })
        }
      />
      <Toggle
        label="Extended route set"
        on={org.extended}
        set={(extended) => callControlForShownOrganization('Extended routes', 'PUT /settings', { extended })}
      />
      <CopyLine what="org_id" text={org.org_id} />
      {org.counts.keys !== 0 && <CopyLine what="key" text={org.api_key} />}
      <CopyLine what="session" text={org.session_cookie} />
      <p class="muted">
        A reset restores the initial credits, tasks, documents, faults and clock of {org.key_name}. Its
        requests stay in the list.
      </p>
      <Button text={`Reset ${org.key_name}`} kind="danger" act={reset} />
    </Card>
  )
}

/** The balance, large, with top up, set and zero. */
function CreditsCard({ state }: { readonly state: OrganizationState }) {
  const add = (credits: number) =>
    callControlForShownOrganization('Top up', 'POST /credits', { add: credits })
  const past = shownMoment.value !== ''
  const zero = () =>
    runUndoable(
      'Set to zero',
      () => takeAllCreditsWithUndo(shownOrganization.peek()?.org_id),
      undefined,
      'No credits are left. Undo gives them back',
    )
  return (
    <Card title="Credits">
      <p class="huge number" role="status">
        {countText(state.credits, 'credit')}
      </p>
      <p class="muted">
        {formatNumber(state.spent)} spent, {formatNumber(state.reserved)} reserved,{' '}
        {formatNumber(state.refunded)} refunded; as of {formatMoment(state.at.time).slice(11)}
      </p>
      <div class="row">
        {[1, 10, 100].map((credits) => (
          <Button
            text={`+${credits}`}
            key={credits}
            disabled={past}
            label={`Top up ${credits}`}
            kind={credits === 10 ? 'main' : undefined}
            act={() => add(credits)}
          />
        ))}
        <Button text="Zero" disabled={past} kind="danger" act={zero} />
        {!past && (
          <Form
            label="Set the credits"
            button="Set credits"
            submit={({ credits }) =>
              callControlForShownOrganization('Set the credits', 'POST /credits', { set: Number(credits) })
            }
          >
            <SingleLineTextField
              name="credits"
              label="Credits"
              type="number"
              min={0}
              step="any"
              required
              size={6}
            />
          </Form>
        )}
      </div>
    </Card>
  )
}

/** The view "Overview": every organization, and the credits, agent, clock and limits of the chosen one. */
export function OverviewView() {
  return (
    <>
      <OrganizationsCard />
      <WithLoadedState>
        {(state, org) => (
          <div class="halves">
            <div class="cards">
              <CreditsCard state={state} />
              {shownMoment.value === '' && (
                <>
                  <AgentCard org={org} tasks={state.tasks} />
                  <ClockCard org={org} />
                  <RateLimitCard org={org} />
                  <SettingsCard org={org} />
                </>
              )}
            </div>
            <BalanceCard ledger={state.ledger} now={state.at.time} />
          </div>
        )}
      </WithLoadedState>
    </>
  )
}
