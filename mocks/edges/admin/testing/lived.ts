/** An organization that has lived a while, for tests of its past. */
import type { Mock } from '../../../app.ts'
import { clientOf } from '../../../testing/client.ts'
import { controlOf } from '../../../testing/control.ts'

/** The control routes, as the owner of an organization by name. */
export const controlsFor = (mock: Mock, name: string) => controlOf(mock, mock.credentials(name).apiKey)

/** Only the last run of a task is state; earlier ones are known from the changes. */
export const lastRuns = (state: { tasks: { runs: object[] }[] }) => ({
  ...state,
  tasks: state.tasks.map((task) => ({ ...task, runs: task.runs.slice(0, 1) })),
})

/** Uses every kind of thing an organization has, with waiting runs, failures, operators and time in between. */
export async function live(mock: Mock, name: string, after: () => Promise<void> = async () => undefined) {
  const { call, newTask, state } = clientOf(mock, name)
  const step = async <T>(act: Promise<T>): Promise<T> => {
    const result = await act
    await after()
    return result
  }
  const one = await step(newTask('one'))
  const two = await step(newTask('two'))
  await step(call('runTask', { id: one }))
  await step(call('runTask', { id: two }))
  await step(call('runTask', { id: two }))
  await state('next_run_fails')
  mock.clock.advance('3s')
  await step(call('getTask', { id: one }))
  mock.organization(name).setCredits(7.5)
  await step(call('createDocument', { body: { title: 'Notes', content_md: '# a' } }))
  const { body } = await step(call('createKey', { body: { name: 'CI' } }))
  const list = await step(call('listNotifications'))
  const [first] = list.body.items as { id: string }[]
  await step(call('readNotification', { id: first?.id ?? '' }))
  await step(call('generateCreative', { body: { prompt: 'sea' } }))
  await state('agent_busy', { duration_ms: 60_000 })
  await step(call('runTask', { id: one }))
  await step(call('createLandingPage', { body: { business_name: 'Sea' } }))
  await step(call('deleteKey', { id: (body.key as { id: string }).id }))
  mock.clock.advance('61s')
  await step(call('getTask', { id: one }))
  mock.clock.advance('1h')
  await step(call('whoami'))
  return { one, two }
}
