/** Mock time: freeze, run, advance, jump to the next event or to a moment. */
import type { OrgView } from '../../model/answers.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Field, Form } from '../../parts/form.tsx'
import { durationOf, momentOf } from '../../parts/text.ts'
import { act } from '../../state/details.ts'
import { nowOf } from '../../state/time.ts'

const steps = [
  ['1s', '+1 s'],
  ['1m', '+1 min'],
  ['1h', '+1 h'],
  ['1d', '+1 day'],
] as const

/** The card. */
export function ClockCard({ org }: { readonly org: OrgView }) {
  const { clock, next_event } = org
  const now = nowOf(clock)
  const move = (what: string, body: object) => act(what, 'PUT /clock', body)
  const next = next_event === null ? undefined : Date.parse(next_event) - now
  return (
    <Card title="Mock clock">
      <p class="large number">
        <time>{momentOf(new Date(now).toISOString())}</time>
      </p>
      <p class="muted">
        {clock.frozen ? 'Frozen' : 'Running'}
        {clock.following ? ', with the clock of the mock' : ', apart from the clock of the mock'}
        {'; '}
        {next === undefined ? 'no event ahead' : `next event in ${durationOf(Math.max(0, next))}`}
      </p>
      <div class="row">
        <Button act={() => move('Clock', { action: clock.frozen ? 'run' : 'freeze' })}>
          {clock.frozen ? 'Run' : 'Freeze'}
        </Button>
        {steps.map(([by, label]) => (
          <Button key={by} act={() => move('Advance the clock', { action: 'advance', by })}>
            {label}
          </Button>
        ))}
        <Button
          kind="main"
          disabled={next === undefined}
          act={() => move('Next event', { action: 'advance', to: 'next_event' })}
        >
          Next event
        </Button>
        <Button disabled={clock.following} act={() => act('Reset the clock', 'POST /reset/clock')}>
          Use the clock of the mock
        </Button>
      </div>
      <Form
        label="Set the clock"
        button="Set clock"
        submit={({ to = '' }) => move('Set the clock', { action: 'set', to: `${to}Z` })}
      >
        <Field name="to" label="Moment (UTC)" type="datetime-local" step="1" required />
      </Form>
    </Card>
  )
}
