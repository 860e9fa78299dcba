/** The agent: idle or busy, its queue, and the states that decide how the next runs go. */
import type { OrgView } from '../../model/answers.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { durationOf } from '../../parts/text.ts'
import { Toggle } from '../../parts/toggle.tsx'
import { hrefOf } from '../../state/address.ts'
import { arrange } from '../../state/details.ts'
import { nowOf } from '../../state/time.ts'

/** The card. */
export function AgentCard({ org }: { readonly org: OrgView }) {
  const { agent, overrides } = org
  return (
    <Card title="Agent">
      <p class={`state ${agent.state}`}>{textOf(org)}</p>
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
        <Button kind="main" act={() => arrange('agent_busy', true, { duration_ms: 60_000 })}>
          Busy for 1 min
        </Button>
        <Button act={() => arrange('agent_busy', false)}>Free now</Button>
      </div>
      <Toggle
        label="The next run fails"
        on={overrides.next_run_fails}
        set={(on) => arrange('next_run_fails', on)}
      />
      <Toggle
        label="The next creative fails"
        on={overrides.next_creative_fails}
        set={(on) => arrange('next_creative_fails', on)}
      />
      <Toggle label="Unavailable (503)" on={overrides.unavailable} set={(on) => arrange('unavailable', on)} />
    </Card>
  )
}

function textOf({ agent, clock }: OrgView) {
  if (agent.state === 'idle') return 'Idle'
  const until = agent.ends_at ?? agent.free_at
  const left = until === null ? '' : `, ${durationOf(Math.max(0, Date.parse(until) - nowOf(clock)))} left`
  if (agent.state === 'other_work') return `Busy with other work${left}`
  return (
    <>
      Runs <a href={hrefOf('tasks', { task: agent.task_id ?? undefined })}>{agent.task_id}</a>
      {left}
    </>
  )
}
