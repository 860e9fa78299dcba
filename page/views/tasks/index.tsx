/** Tasks: a timeline of their runs, the list, and one task with what can be done to it. */
import type { OrgView, State, TaskView } from '../../model/fault-rule.ts'
import { Card, Loaded } from '../../parts/card.tsx'
import { Field, Form, Search } from '../../parts/form.tsx'
import { useListKeys, VirtualList } from '../../parts/list.tsx'
import { count } from '../../parts/text.ts'
import { change, goAfter, param } from '../../state/address.ts'
import { callApi } from '../../state/calls.ts'
import { attempt } from '../../state/notices.ts'
import { nowOf } from '../../state/overview.ts'
import { moment } from '../../state/requests.ts'
import { TaskDetails } from './details.tsx'
import { Timeline } from './timeline.tsx'

/** The view. */
export const TasksView = () => <Loaded>{(all, org) => <Tasks all={all} org={org} />}</Loaded>

function Tasks({ all, org }: { readonly all: State; readonly org: OrgView }) {
  const words = param('q').toLowerCase().split(/\s+/)
  const tasks = all.tasks.filter(({ id, text, status }) => {
    const shown = `${id} ${text} ${status}`.toLowerCase()
    return words.every((word) => shown.includes(word))
  })
  const wanted = param('task')
  const active = tasks.findIndex(({ id, runs }) => id === wanted || runs.some((run) => run.id === wanted))
  const choose = (place: number) => change({ task: tasks[place]?.id }, { quiet: active >= 0 })
  useListKeys({ count: tasks.length, active, choose })
  const task = tasks[active]
  return (
    <>
      <Timeline tasks={all.tasks} now={moment.value === '' ? nowOf(org.clock) : Date.parse(all.at.time)} />
      <div class="split">
        <Card title="Tasks" aside={count(tasks.length, 'task')}>
          {moment.value === '' && <NewTask api_key={org.api_key} />}
          <Search label="Search tasks" />
          <VirtualList
            label="Tasks"
            count={tasks.length}
            active={active}
            idOf={(place) => `task-${place}`}
            onChoose={choose}
            row={(place) => <TaskRow task={tasks[place]} />}
          />
        </Card>
        {task ? (
          <TaskDetails org={org} task={task} />
        ) : (
          <p class="empty details" tabIndex={-1}>
            Choose a task, or press <kbd>j</kbd>.
          </p>
        )}
      </div>
    </>
  )
}

function TaskRow({ task }: { readonly task: TaskView | undefined }) {
  if (!task) return null
  return (
    <>
      <span class={`tag ${task.status}`}>{task.status}</span>
      <span class="clip grow">{task.text}</span>
      <span class="muted number">{task.runs.length > 0 && count(task.runs.length, 'run')}</span>
    </>
  )
}

function NewTask({ api_key }: { readonly api_key: string }) {
  const create = ({ text }: Readonly<Record<string, string>>) =>
    attempt('Create a task', () =>
      goAfter(callApi<{ task: { id: string } }>({ api_key }, 'POST /tasks', { text }), ({ task }) =>
        change({ task: task.id }),
      ),
    )
  return (
    <Form label="New task" usual={{ text: 'Say hello' }} button="Create" submit={create}>
      <Field name="text" label="New task" placeholder="Say hello" />
    </Form>
  )
}
