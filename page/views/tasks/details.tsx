/** One task: its text, its runs, and what can be done to it. */
import type { OrgView, RunView, TaskView } from '../../model/fault-rule.ts'
import { Back, Button } from '../../parts/button.tsx'
import { durationOf, momentOf } from '../../parts/text.ts'
import { hrefOf } from '../../state/address.ts'
import { callApi, Refusal } from '../../state/calls.ts'
import { attempt, notify } from '../../state/notices.ts'
import { act, moment } from '../../state/requests.ts'

interface Props {
  readonly org: OrgView
  readonly task: TaskView
}

/** The details. */
export function TaskDetails({ org, task }: Props) {
  const [newest] = task.runs
  const running = newest !== undefined && !newest.ended
  const past = moment.value !== ''
  const finish = (outcome: 'completed' | 'failed') =>
    act('Finish the run', `POST /tasks/${encodeURIComponent(task.id)}/finish`, { outcome })
  return (
    <section class="card details" tabIndex={-1} aria-labelledby="task-title">
      <Back />
      <header>
        <h2 id="task-title">{task.id}</h2>
        <span class={`tag ${task.status}`}>{task.status}</span>
      </header>
      <p class="text">{task.text}</p>
      {task.description !== null && <p class="text muted">{task.description}</p>}
      <p class="muted">
        Created {momentOf(task.created_at)}.{' '}
        <a href={hrefOf('requests', { task: task.id })}>Requests about this task</a>
      </p>
      <div class="row">
        <Button kind="main" disabled={past || running} act={() => run(org.api_key, task.id)}>
          Run
        </Button>
        <Button disabled={past || !running} act={() => finish('completed')}>
          Finish now
        </Button>
        <Button kind="danger" disabled={past || !running} act={() => finish('failed')}>
          Fail now
        </Button>
      </div>
      <h3>Runs</h3>
      {task.runs.length === 0 && <p class="muted">Never run.</p>}
      <ol class="runs">
        {task.runs.map((one) => (
          <Run key={one.id} run={one} />
        ))}
      </ol>
    </section>
  )
}

/** Runs the task as a client would. 409 `busy` accepts the run, so it is no failure. */
const run = (api_key: string, id: string) =>
  attempt('Run', async () => {
    try {
      await callApi({ api_key }, `POST /tasks/${encodeURIComponent(id)}/run`)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'busy') throw error
      notify('done', 'The agent is busy; the run starts afterwards')
    }
  })

/** The steps of a run that have happened or are known to come. */
function stepsOf(run: RunView): (readonly [what: string, at: string])[] {
  const { accepted_at, started_at, ends_at, ended, outcome, refunded, waited_ms } = run
  const steps: [string, string][] = [['accepted', accepted_at]]
  if (started_at !== null) {
    const waited = waited_ms ? `, after waiting ${durationOf(waited_ms)}` : ''
    steps.push([`started${waited}`, started_at])
  }
  if (ends_at !== null) steps.push([ended ? (outcome ?? 'ended') : 'will end', ends_at])
  if (refunded && ends_at !== null) steps.push(['refunded', ends_at])
  return steps
}

function Run({ run }: { readonly run: RunView }) {
  const state = run.ended ? (run.outcome ?? 'ended') : run.started_at ? 'in_progress' : 'queued'
  return (
    <li>
      <p>
        <span class={`tag ${state}`}>{state}</span> <code>{run.id}</code>
      </p>
      <ol class="steps">
        {stepsOf(run).map(([what, at]) => (
          <li key={what}>
            <time class="number muted">{momentOf(at)}</time> {what}
          </li>
        ))}
      </ol>
    </li>
  )
}
