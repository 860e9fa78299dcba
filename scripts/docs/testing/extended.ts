/** Runs in a copy of the repository with the changes of `CONTRIBUTING.md`, and prints whether each works. */
import { createMock } from '#mocks/app.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { uncheckedClientOf } from '#mocks/testing/client.ts'

const { catalogue } = await import('#contract-tests/catalogue/index.ts')
const { tryDefect, requirementsWithoutDefect } = await import('#proof/matrix.ts')
const { defects } = await import('#proof/defects/index.ts')

const defect = defects.find(({ id }) => id === 'plan-unnamed')
const trial = defect ? await tryDefect(defect, 'first') : undefined

/** The answer to a run, in a mock with options that only the copy knows. */
async function run(options: { fault?: string; scenario?: string }): Promise<unknown> {
  const { call, newTask } = uncheckedClientOf(createMock(options as MockOptions))
  return (await call('runTask', { id: await newTask() })).body.error
}

/** The added field of a new task, and of a task in a state that was saved before the field existed. */
async function efforts(): Promise<unknown[]> {
  const mock = createMock()
  const id = await uncheckedClientOf(mock).newTask()
  const saved = JSON.stringify(mock.snapshot())
  const older = saved.replaceAll('"effort":null,', '')
  if (older === saved) throw new Error('no task has the field')
  const later = createMock()
  later.restore(JSON.parse(older))
  const seen = await Promise.all([mock, later].map((one) => uncheckedClientOf(one).call('getTask', { id })))
  return seen.map(({ body }) => body.task?.effort)
}

console.log(
  JSON.stringify({
    efforts: await efforts(),
    requirement: catalogue.some(({ id }) => String(id) === 'PLAN-NAMED'),
    proven: !requirementsWithoutDefect('SHOULD').includes('PLAN-NAMED'),
    objections: trial?.objections,
    fault: await run({ fault: 'runTask=drain' }),
    scenario: await run({ scenario: 'drained' }),
  }),
)
