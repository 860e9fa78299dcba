/** Runs in a copy of the repository with the changes of `CONTRIBUTING.md`, and prints whether each works. */
import { createMock } from '#mocks/app.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'

const { catalogue } = await import('#contract-tests/catalogue/index.ts')
const { unproven } = await import('#proof/matrix.ts')
const { tryDefect } = await import('#proof/matrix.ts')
const { defects } = await import('#proof/defects/index.ts')

const defect = defects.find(({ id }) => id === 'plan-unnamed')
const trial = defect ? await tryDefect(defect, 'first') : undefined

/** The answer to a run, in a mock with options that only the copy knows. */
async function run(options: { fault?: string; scenario?: string }): Promise<unknown> {
  const mock = createMock(options as MockOptions)
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const post = async (path: string, body?: string) => {
    const request = new Request(`http://mock.test/api/cli/${path}`, {
      method: 'POST',
      headers,
      body: body ?? null,
    })
    return (await mock.fetch(request)).json()
  }
  const { task } = await post('tasks', '{"text":"Say hello"}')
  return (await post(`tasks/${task.id}/run`)).error
}

console.log(
  JSON.stringify({
    requirement: catalogue.some(({ id }) => id === 'PLAN-NAMED'),
    proven: !unproven(catalogue, defects, 'SHOULD').includes('PLAN-NAMED'),
    objections: trial?.objections,
    fault: await run({ fault: 'runTask=drain' }),
    scenario: await run({ scenario: 'drained' }),
  }),
)
