/** Tasks: a timeline of their runs, the list, and one task with what can be done to it. */
import { createTimeScale } from '../../model/fault-rule.ts'
import type { OrganizationState, OrganizationView, RunView, TaskView } from '../../model/organization.ts'
import { BackToList, Button } from '../../parts/button.tsx'
import { Card, DetailsPane, missingTargetText, WithLoadedState } from '../../parts/card.tsx'
import { Form, type FormValues, SearchField, SingleLineTextField } from '../../parts/form.tsx'
import { VirtualList } from '../../parts/list.tsx'
import { countText, createWordMatcher, formatDuration, formatMoment, formatNumber } from '../../parts/text.ts'
import { CodeText } from '../../parts/value.tsx'
import { addressParam, changeAddress, continueUnlessAddressChanged, hrefOf } from '../../state/address.ts'
import { callWithKey, RefusedCallError } from '../../state/calls.ts'
import { runWithNotice, showNotice } from '../../state/notices.ts'
import { mockTimeNow } from '../../state/overview.ts'
import { callControlForShownOrganization, shownMoment } from '../../state/requests.ts'

/** Maximum number of runs in the timeline. */
const most = 12

/** The card of the timeline; empty while nothing has run. `now`: mock time, ms since the epoch. */
function Timeline({ tasks, now }: { readonly tasks: readonly TaskView[]; readonly now: number }) {
  const all = tasks.flatMap((task) => task.runs.map((run) => ({ task, run })))
  /** The newest runs, the oldest of them first. */
  const runs = all.sort((a, b) => (a.run.accepted_at < b.run.accepted_at ? -1 : 1)).slice(-most)
  const [first] = runs
  if (!first) return null
  const known = runs.flatMap(({ run }) => [run.accepted_at, run.started_at, run.ends_at])
  const moments = known.flatMap((moment) => (moment === null ? [] : [Date.parse(moment)]))
  const end = runs.every(({ run }) => run.ended) ? Math.max(...moments) : Math.max(now, ...moments)
  const axis = createTimeScale([...moments, end])
  const place = (moment: number) => `${100 * axis(moment)}%`
  return (
    <Card title="Timeline of runs" aside="long gaps are shortened">
      <ol class="timeline">
        <li aria-hidden="true" class="muted number">
          <span />
          <div class="axis">
            {ticksOf(
              [end, ...moments].sort((a, b) => b - a),
              axis,
            ).map((at) => (
              <span key={at} style={{ left: place(at) }}>
                {formatMoment(at).slice(5)}
              </span>
            ))}
          </div>
        </li>
        {runs.map(({ task, run }) => (
          <li key={run.id}>
            <a
              class="clip"
              dir="auto"
              href={hrefOf('tasks', { task: task.id })}
              aria-current={addressParam('task') === task.id || undefined}
            >
              {task.text}
            </a>
            <Bar run={run} place={place} end={Math.min(now, end)} />
            <span>{run.refunded ? 'refunded' : ''}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** The least distance of two ticks, as a share of the axis. */
const leastGap = 0.25

/** Returns the moments to write on the axis, far enough apart to be read; the latest one is always written. */
function ticksOf(sorted: readonly number[], axis: (moment: number) => number): number[] {
  let next = 2
  return sorted.filter((moment) => {
    const isFree = next - axis(moment) >= leastGap
    // The text of the latest moment stands to its left.
    if (isFree) next = axis(moment) - (next > 1 ? leastGap : 0)
    return isFree
  })
}

interface BarProps {
  readonly run: RunView
  readonly place: (moment: number) => string
  readonly end: number
}

const stateOf = ({ ended, outcome, started_at }: RunView) =>
  ended ? (outcome ?? 'ended') : started_at ? 'in_progress' : 'queued'

function Bar({ run, place, end }: BarProps) {
  const accepted = Date.parse(run.accepted_at)
  const started = run.started_at === null ? end : Date.parse(run.started_at)
  const ended = run.ended && run.ends_at !== null ? Date.parse(run.ends_at) : Math.max(started, end)
  const state = stateOf(run)
  const part = (from: number, to: number) => ({ left: place(from), right: `calc(100% - ${place(to)})` })
  return (
    <div class="lane" role="img" title={state} aria-label={`${state}${run.refunded ? ', refunded' : ''}`}>
      {started > accepted && <span class="wait" style={part(accepted, started)} />}
      {run.started_at !== null && <span class={`run ${state}`} style={part(started, ended)} />}
    </div>
  )
}

function TaskDetails({ org, task }: { readonly org: OrganizationView; readonly task: TaskView }) {
  const [newest] = task.runs
  const running = newest?.ended === false
  const past = shownMoment.value !== ''
  const finish = (outcome: 'completed' | 'failed') =>
    callControlForShownOrganization('Finish the run', `POST /tasks/${encodeURIComponent(task.id)}/finish`, {
      outcome,
    })
  return (
    <section class="card" aria-labelledby="task-title">
      <BackToList />
      <header>
        <h2 id="task-title">{task.id}</h2>
        <span class={`tag ${task.status}`}>{task.status}</span>
      </header>
      <div class="row">
        <Button text="Run" kind="main" disabled={past || running} act={() => run(org.api_key, task.id)} />
        <Button text="Finish now" disabled={past || !running} act={() => finish('completed')} />
        <Button text="Fail now" kind="danger" disabled={past || !running} act={() => finish('failed')} />
      </div>
      <CodeText label="Text" text={task.text} />
      {task.description && <CodeText label="Description" text={task.description} />}
      <p class="muted">
        Created {formatMoment(task.created_at)}.{' '}
        <a href={hrefOf('requests', { task: task.id })}>Requests about this task</a>
      </p>
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
  runWithNotice('Run', async () => {
    try {
      await callWithKey(api_key, `POST /tasks/${encodeURIComponent(id)}/run`)
    } catch (error) {
      if (!(error instanceof RefusedCallError) || error.code !== 'busy') throw error
      showNotice('done', 'The agent is busy; the run starts afterwards')
    }
  })

/** The steps of a run that have happened or are known to come. */
function stepsOf(run: RunView): (readonly [what: string, at: string])[] {
  const { accepted_at, started_at, ends_at, ended, outcome, refunded, waited_ms } = run
  const steps: [string, string][] = [['accepted', accepted_at]]
  if (started_at !== null) {
    const waited = waited_ms ? `, after waiting ${formatDuration(waited_ms)}` : ''
    steps.push([`started${waited}`, started_at])
  }
  if (ends_at !== null) steps.push([ended ? (outcome ?? 'ended') : 'will end', ends_at])
  if (refunded && ends_at !== null) steps.push(['refunded', ends_at])
  return steps
}

function Run({ run }: { readonly run: RunView }) {
  const state = stateOf(run)
  return (
    <li>
      <p>
        <span class={`tag ${state}`}>{state}</span> <code>{run.id}</code>
      </p>
      <ol class="steps">
        {stepsOf(run).map(([what, at]) => (
          <li key={what}>
            <time class="number muted">{formatMoment(at)}</time> {what}
          </li>
        ))}
      </ol>
    </li>
  )
}

/** The view "Tasks": a timeline of runs, the list of tasks, and one task with its actions. */
export const TasksView = () => (
  <WithLoadedState>{(all, org) => <Tasks all={all} org={org} />}</WithLoadedState>
)

function Tasks({ all, org }: { readonly all: OrganizationState; readonly org: OrganizationView }) {
  const isFound = createWordMatcher(addressParam('q'))
  const tasks = all.tasks.filter(({ id, text, status }) => isFound(`${id} ${text} ${status}`))
  const wanted = addressParam('task')
  const isWanted = ({ id, runs }: TaskView) => id === wanted || runs.some((run) => run.id === wanted)
  const active = tasks.findIndex(isWanted)
  const choose = (place: number) => changeAddress({ task: tasks[place]?.id }, { quiet: active >= 0 })
  const task = all.tasks.find(isWanted)
  return (
    <>
      <Timeline
        tasks={all.tasks}
        now={shownMoment.value === '' ? mockTimeNow(org.clock) : Date.parse(all.at.time)}
      />
      <div class="split">
        <Card title="Tasks" aside={`${formatNumber(tasks.length)} of ${formatNumber(all.tasks.length)}`}>
          {shownMoment.value === '' && <NewTask api_key={org.api_key} />}
          <SearchField label="Search tasks" />
          <VirtualList
            label="Tasks"
            count={tasks.length}
            active={active}
            idOf={(place) => `task-${place}`}
            onChoose={choose}
            row={(place) => <TaskRow task={tasks[place]} />}
            none={<p>{all.tasks.length === 0 ? 'No task yet: create one above.' : 'No task found.'}</p>}
          />
        </Card>
        <DetailsPane of={task?.id}>
          {task ? (
            <TaskDetails org={org} task={task} />
          ) : (
            <p class="empty">{missingTargetText('task', wanted) || 'Choose a task.'}</p>
          )}
        </DetailsPane>
      </div>
    </>
  )
}

function TaskRow({ task }: { readonly task: TaskView | undefined }) {
  if (!task) return null
  return (
    <>
      <span class={`tag ${task.status}`}>{task.status}</span>
      <span class="clip grow" dir="auto">
        {task.text}
      </span>
      <span class="muted number">{task.runs.length > 0 && countText(task.runs.length, 'run')}</span>
    </>
  )
}

function NewTask({ api_key }: { readonly api_key: string }) {
  const create = ({ text }: FormValues) =>
    runWithNotice('Create a task', () =>
      continueUnlessAddressChanged(
        callWithKey<{ task: { id: string } }>(api_key, 'POST /tasks', { text }),
        ({ task }) => changeAddress({ task: task.id }),
      ),
    )
  return (
    <Form label="New task" usual={{ text: 'Say hello' }} button="Create" submit={create}>
      <SingleLineTextField name="text" label="New task" placeholder="Say hello" />
    </Form>
  )
}
