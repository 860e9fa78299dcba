/** The agent, the clock and the rate limits of an organization, each with what changes it. */
import type { OrganizationView, TaskView } from '../../model/organization.ts'
import { Button, Toggle } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Form, SingleLineTextField } from '../../parts/form.tsx'
import { countText, formatDuration, formatMoment, formatNumber } from '../../parts/text.ts'
import { IdLink } from '../../parts/value.tsx'
import { hrefOf } from '../../state/address.ts'
import { mockTimeNow } from '../../state/overview.ts'
import { callControlForShownOrganization, setShownOrganizationProviderState } from '../../state/requests.ts'

const switches = [
  ['next_run_fails', 'The next run fails'],
  ['next_creative_fails', 'The next creative fails'],
  ['unavailable', 'Unavailable (503)'],
] as const

/** The agent of the organization: idle or busy, its queue, and how the next runs go. */
export function AgentCard({
  org,
  tasks,
}: {
  readonly org: OrganizationView
  readonly tasks: readonly TaskView[]
}) {
  const { agent, overrides } = org
  return (
    <Card title="Agent">
      <p class="large">{textOf(org, tasks)}</p>
      {agent.queue.length > 0 && (
        <ol class="queue" aria-label="Waiting runs">
          {agent.queue.map(({ run_id, task_id, text }) => (
            <li key={run_id}>
              <a href={hrefOf('tasks', { task: task_id })}>{text}</a>
            </li>
          ))}
        </ol>
      )}
      <div class="row">
        <Button
          text="Busy for 1 min"
          kind="main"
          act={() => setShownOrganizationProviderState('agent_busy', true, { duration_ms: 60_000 })}
        />
        <Button text="Free now" act={() => setShownOrganizationProviderState('agent_busy', false)} />
      </div>
      {switches.map(([state, label]) => (
        <Toggle
          key={state}
          label={label}
          on={overrides[state]}
          set={(on) => setShownOrganizationProviderState(state, on)}
        />
      ))}
    </Card>
  )
}

function textOf({ agent, clock }: OrganizationView, tasks: readonly TaskView[]) {
  if (agent.state === 'idle') return 'Idle'
  const until = agent.ends_at ?? agent.free_at
  const left =
    until === null ? '' : `, ${formatDuration(Math.max(0, Date.parse(until) - mockTimeNow(clock)))} left`
  if (agent.state === 'other_work') return `Busy with other work${left}`
  return (
    <>
      Runs <IdLink id={agent.task_id} text={tasks.find(({ id }) => id === agent.task_id)?.text} />
      {left}
    </>
  )
}

const steps = [
  ['1s', '+1 s'],
  ['1m', '+1 min'],
  ['1h', '+1 h'],
  ['1d', '+1 day'],
] as const

/** The clock: freeze, run, advance, jump to the next event or to a moment. */
export function ClockCard({ org }: { readonly org: OrganizationView }) {
  const { clock, next_event } = org
  const now = mockTimeNow(clock)
  const move = (what: string, body: object) => callControlForShownOrganization(what, 'PUT /clock', body)
  const next = next_event === null ? undefined : Date.parse(next_event) - now
  return (
    <Card title="Mock clock">
      <p class="large number">
        <time>{formatMoment(now)}</time>
      </p>
      <p class="muted">
        {clock.frozen ? 'Frozen' : 'Running'}
        {clock.following ? ', with the clock of the mock' : ', apart from the clock of the mock'}
        {'; '}
        {next === undefined ? 'no event ahead' : `next event in ${formatDuration(Math.max(0, next))}`}
      </p>
      <div class="row">
        <Button
          text={clock.frozen ? 'Run' : 'Freeze'}
          act={() => move('Clock', { action: clock.frozen ? 'run' : 'freeze' })}
        />
        {steps.map(([by, label]) => (
          <Button text={label} key={by} act={() => move('Advance the clock', { action: 'advance', by })} />
        ))}
        <Button
          text="Next event"
          kind="main"
          disabled={next === undefined}
          act={() => move('Next event', { action: 'advance', to: 'next_event' })}
        />
        <Button
          text="Use the clock of the mock"
          disabled={clock.following}
          act={() => callControlForShownOrganization('Reset the clock', 'POST /reset/clock')}
        />
      </div>
      <Form
        label="Set the clock"
        button="Set clock"
        submit={({ to = '' }) => move('Set the clock', { action: 'set', to: `${to}Z` })}
      >
        <SingleLineTextField name="to" label="Moment (UTC)" type="datetime-local" step="1" required />
      </Form>
    </Card>
  )
}

/** The rate limit: the use of its window by each key and the session, and a field to set it. */
export function RateLimitCard({ org }: { readonly org: OrganizationView }) {
  const { limit, limits } = org
  return (
    <Card title="Rate limits">
      <p class="muted">
        {limit
          ? `${countText(limit.limit, 'request')} in ${formatDuration(limit.window_ms)} for each key`
          : 'Off: nothing is limited'}
      </p>
      {limits.length === 0 ? (
        <p class="muted">No window is open.</p>
      ) : (
        limits.map((one) => <Window key={one.credential} {...one} />)
      )}
      <Form
        label="Set the rate limit"
        button="Set limit"
        submit={({ limit = '', window_s = '' }) =>
          setShownOrganizationProviderState('rate_limit', true, {
            limit: Number(limit),
            window_s: Number(window_s),
          })
        }
      >
        <SingleLineTextField name="limit" label="Requests" type="number" min={0} required size={5} />
        <SingleLineTextField name="window_s" label="in seconds" type="number" min={1} required size={5} />
      </Form>
      <Button
        text="Remove this limit"
        disabled={!org.limit_set}
        act={() => setShownOrganizationProviderState('rate_limit', false)}
      />
    </Card>
  )
}

function Window({ credential, used, limit, resets_at }: OrganizationView['limits'][number]) {
  return (
    <p class="row">
      <span class="clip">{credential}</span>
      <span class="number">
        {formatNumber(used)} / {formatNumber(limit)}
      </span>
      <span class="muted">
        {used >= limit ? '429 until' : 'resets'} {resets_at && formatMoment(resets_at).slice(11)}
      </span>
    </p>
  )
}
