/** Runs in a copy of the repository with the changes of `CONTRIBUTING.md`, and prints whether each works. */
import { createMock } from '#mocks/app.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { rawClient } from '#mocks/testing/client.ts'

const { catalogue } = await import('#contract-tests/catalogue/index.ts')
const { tryDefect, unproven } = await import('#proof/matrix.ts')
const { defects } = await import('#proof/defects/index.ts')

const defect = defects.find(({ id }) => id === 'plan-unnamed')
const trial = defect ? await tryDefect(defect, 'first') : undefined

/** The answer to a run, in a mock with options that only the copy knows. */
async function run(options: { fault?: string; scenario?: string }): Promise<unknown> {
  const { call, newTask } = rawClient(createMock(options as MockOptions))
  return (await call('runTask', { id: await newTask() })).body.error
}

console.log(
  JSON.stringify({
    requirement: catalogue.some(({ id }) => id === 'PLAN-NAMED'),
    proven: !unproven('SHOULD').includes('PLAN-NAMED'),
    objections: trial?.objections,
    fault: await run({ fault: 'runTask=drain' }),
    scenario: await run({ scenario: 'drained' }),
  }),
)
