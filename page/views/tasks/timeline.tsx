/** The newest runs of all tasks on one axis of mock time: waiting, running, how each ended, what was refunded. */
import type { RunView, TaskView } from '../../model/fault-rule.ts'
import { axisOf } from '../../model/fault-rule.ts'
import { Card } from '../../parts/card.tsx'
import { momentOf } from '../../parts/text.ts'
import { hrefOf, param } from '../../state/address.ts'

/** How many runs are shown. */
const most = 12

interface Props {
  readonly tasks: readonly TaskView[]
  /** Mock time, ms since the epoch. */
  readonly now: number
}

interface TaskRun {
  readonly task: TaskView
  readonly run: RunView
}

/** The newest runs, oldest first. */
function newestOf(tasks: readonly TaskView[]): TaskRun[] {
  const all = tasks.flatMap((task) => task.runs.map((run) => ({ task, run })))
  return all.sort((a, b) => (a.run.accepted_at < b.run.accepted_at ? -1 : 1)).slice(-most)
}

/** The card; empty as long as nothing ran. */
export function Timeline({ tasks, now }: Props) {
  const runs = newestOf(tasks)
  const [first] = runs
  if (!first) return null
  const known = runs.flatMap(({ run }) => [run.accepted_at, run.started_at, run.ends_at])
  const moments = known.flatMap((moment) => (moment === null ? [] : [Date.parse(moment)]))
  const end = runs.every(({ run }) => run.ended) ? Math.max(...moments) : Math.max(now, ...moments)
  const axis = axisOf([...moments, end])
  const place = (moment: number) => `${100 * axis(moment)}%`
  return (
    <Card
      title="Timeline of runs"
      aside={
        <span class="muted number">
          {momentOf(first.run.accepted_at)} to {momentOf(new Date(end).toISOString())}
        </span>
      }
    >
      <ol class="timeline">
        {runs.map(({ task, run }) => (
          <li key={run.id}>
            <a
              class="clip"
              href={hrefOf('tasks', { task: task.id })}
              aria-current={param('task') === task.id || undefined}
            >
              {task.text}
            </a>
            <Bar run={run} place={place} end={Math.min(now, end)} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

interface BarProps {
  readonly run: RunView
  readonly place: (moment: number) => string
  readonly end: number
}

function Bar({ run, place, end }: BarProps) {
  const accepted = Date.parse(run.accepted_at)
  const started = run.started_at === null ? end : Date.parse(run.started_at)
  const ended = run.ended && run.ends_at !== null ? Date.parse(run.ends_at) : Math.max(started, end)
  const state = run.ended ? (run.outcome ?? 'completed') : run.started_at ? 'in_progress' : 'queued'
  const part = (from: number, to: number) => ({ left: place(from), right: `calc(100% - ${place(to)})` })
  return (
    <div class="lane" role="img" title={state} aria-label={`${state}${run.refunded ? ', refunded' : ''}`}>
      {started > accepted && <span class="wait" style={part(accepted, started)} />}
      {run.started_at !== null && <span class={`run ${state}`} style={part(started, ended)} />}
      {run.refunded && (
        <span class="refund" style={{ left: place(ended) }}>
          refunded
        </span>
      )}
    </div>
  )
}
