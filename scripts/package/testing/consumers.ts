/** Code of users of the package, as text: it resolves only where the package is installed. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runOnNode } from './node.ts'

/**
 * The text of a JavaScript program that uses the package without its peers: it prints what each entry point exports.
 */
export const entriesScript = `
import { createRequire } from 'node:module'
import { createMock } from 'work-agent-contract'
import { openapi, operationIds } from 'work-agent-contract/contract'
import { collectionsOf, examples, task } from 'work-agent-contract/fixtures'
import document from 'work-agent-contract/openapi.json' with { type: 'json' }
import schema from 'work-agent-contract/report.schema.json' with { type: 'json' }

const mock = createMock({ credits: 3 })
const headers = { authorization: 'Bearer wak_test_ada' }
const whoami = await mock.fetch(new Request('http://mock.test/api/cli/whoami', { headers }))
const missing = (entry) => import(entry).then(() => 'loads', ({ code, message }) => code + ' ' + message)
const thrown = (act) => { try { return act() } catch ({ message }) { return message } }
console.log(JSON.stringify({
  credits: (await whoami.json()).credits,
  operations: operationIds.length,
  examples: Object.keys(examples),
  collections: Object.keys(await collectionsOf(mock, 'ada')).length > 0,
  openapi: [document.openapi, typeof openapi],
  schema: schema.title,
  required: createRequire(import.meta.url)('work-agent-contract').createMock === createMock,
  msw: await missing('work-agent-contract/msw'),
  vitest: await missing('work-agent-contract/vitest'),
  handlers: thrown(() => mock.handlers('https://api.test')),
  task: thrown(() => task()),
}))
`

/**
 * The text of a program that uses the package with msw and faker: the mock answers requests of the global fetch, and
 * fixtures are drawn.
 */
export const peersScript = `
import { setupServer } from 'msw/node'
import { createMock } from 'work-agent-contract'
import { task } from 'work-agent-contract/fixtures'
import { createMock as createPlainMock, handlers } from 'work-agent-contract/msw'

const server = setupServer(
  ...handlers(createPlainMock({ credits: 7 }), 'https://seven.test'),
  ...createMock({ credits: 8 }).handlers('https://eight.test'),
)
server.listen()
for (const host of ['seven', 'eight']) {
  const headers = { authorization: 'Bearer wak_test_ada' }
  const answer = await fetch('https://' + host + '.test/api/cli/whoami', { headers })
  console.log((await answer.json()).credits)
}
server.close()
console.log(task({ status: 'failed' }).status)
`

/** The text of a test file that tests a service in vitest. */
export const vitestTestText = `
import { createMock, listen } from 'work-agent-contract'
import { conformance } from 'work-agent-contract/vitest'

conformance('service', async () => {
  const mock = createMock()
  const { url } = await listen(mock, { host: '127.0.0.1', port: 0 })
  return { baseUrl: url, apiKey: mock.credentials().apiKey }
})
`

/**
 * The text of a TypeScript program that uses the package without its peers. Expected errors prove that no type becomes
 * `any`.
 */
export const typesProgram = `
import { createMock, type Listener, listen, type Mock, type MockOptions, withMock } from 'work-agent-contract'
import { type Further, type Operation, type OperationId, operationIds, routes } from 'work-agent-contract/contract'
import { type Collections, collectionsOf, createFixtures, examples } from 'work-agent-contract/fixtures'

const options: MockOptions = { credits: 3, variant: 'second' }
const mock: Mock = createMock(options)
const listener: Listener = await listen(mock, { host: '127.0.0.1', port: 0 })
const collections: Collections = await collectionsOf(mock, 'ada')
const ids: readonly OperationId[] = operationIds
const path: string = routes.createTask.path
export const body: Operation<'createTask'>['body'] = { text: 'Say hello' }
export const first: Operation<'runTask', 'first'>['answer'] = { taskId: 't', status: 'in_progress', finished: false }
export const failure: Operation<'runTask'>['failure'] = 'no_credits'
export const makeTask = () => createFixtures({ seed: 7 }).task({ status: 'failed' }).text.toUpperCase()
export const used = [listener.url, collections, ids, path, examples.first]

export const { fetch: mine }: { fetch: typeof fetch } = mock
export const answers = [await mine('http://any.test'), await mine(new URL('http://any.test'), { method: 'POST' })]
{
  await using disposable = await listen(mock)
  used.push(disposable.url)
}
export const credits: number = await withMock({ credits: 2 }, ({ mock, url }) => url.length + mock.bugs.length)

createMock({ scenario: 'out-of-credits', runOutcome: 'failed', force: ['busy', 'no_credits@runTask', '402@runTask'] })
createMock({ runDuration: '2s', runProgress: 'polls:3', fault: ['503', 'runTask=rate_limited,ok;times=2', 'delay 5s'] })
mock.scenarios.start('lost-answer')
mock.clock.advance('2s')
mock.clock.set(new Date())
mock.clock.freeze('2026-03-01T09:00:00Z')
mock.faults.add('runTask=lost;times=1')
mock.journal.entries({ operation: ['whoami', 'runTask'] })

type Detail = Operation<'getTask'>['answer']
export const finishedOf = (answer: Detail): boolean => answer.finished
export const moodOf = (answer: Detail): unknown => (answer as Further<Detail>).mood
export const runOf = (answer: Operation<'runTask'>['answer']) => ('runId' in answer ? answer.runId : answer.taskId)

// @ts-expect-error a misspelt field
export const finishdOf = (answer: Detail) => answer.finishd
// @ts-expect-error a misspelt field inside
export const statsOf = (answer: Detail) => answer.task.stauts
// @ts-expect-error a scenario that is none
createMock({ scenario: 'out-of-credit' })
// @ts-expect-error a scenario that is none
mock.scenarios.start('lost-answers')
// @ts-expect-error an outcome that is none
createMock({ runOutcome: 'fails' })
// @ts-expect-error an error that is none
createMock({ force: 'ratelimited' })
// @ts-expect-error an error that this operation cannot return
createMock({ force: 'busy@whoami' })
// @ts-expect-error a fault that is none
createMock({ fault: 'lots' })
// @ts-expect-error an operation that is none
createMock({ fault: 'runtask=lost' })
// @ts-expect-error a duration without a unit
createMock({ runDuration: '2' })
// @ts-expect-error a duration without a unit
mock.clock.advance('2')
// @ts-expect-error a fault that is none
mock.faults.add('lots')
// @ts-expect-error an operation that is none
mock.journal.entries({ operation: 'runtask' })
// @ts-expect-error a base is needed
mock.handlers()

// @ts-expect-error an option that is none
createMock({ creditz: 3 })
// @ts-expect-error a field that is missing
export const noBody: Operation<'createTask'>['body'] = {}
// @ts-expect-error a field that a task does not have
export const makeOther = () => createFixtures().task({ titel: 'x' })
// @ts-expect-error an operation that is none
export type None = Operation<'makeTea'>
// @ts-expect-error the answer of the other variant
export const second: Operation<'runTask', 'second'>['answer'] = { taskId: 't', status: 's', finished: false }
// @ts-expect-error a failure that this operation cannot meet
export const free: Operation<'whoami'>['failure'] = 'no_credits'
`

/** The text of a TypeScript program that uses the package with its peers. */
export const peerTypesProgram = `
import { type HttpHandler } from 'msw'
import { createMock } from 'work-agent-contract'
import { createMock as createPlainMock, handlers } from 'work-agent-contract/msw'
import { conformance } from 'work-agent-contract/vitest'

export const mine: HttpHandler[] = handlers(createPlainMock(), 'https://api.test')
export const others: HttpHandler[] = createMock().handlers('https://api.test')
conformance('service', { baseUrl: 'https://api.test', apiKey: 'k' })

// @ts-expect-error handlers are no texts
export const texts: string[] = createMock().handlers('https://api.test')
// @ts-expect-error a key is needed
conformance('service', { baseUrl: 'https://api.test' })
`

/** The module resolutions of TypeScript that are tried, each with its module format. */
export const moduleResolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const

interface Consumer {
  /** The folder in which the package and the types of Node are installed. */
  readonly project: string
  readonly source: string
  readonly resolution: keyof typeof moduleResolutions
  /** True to check declarations too: ours, and those that they import. */
  readonly declarations: boolean
}

/** Type-checks the source of a user's program in a project; returns the exit code and output of `tsc`. */
export function typeCheckConsumer({ project, source, resolution, declarations }: Consumer) {
  const file = `${resolution}.mts`
  const compilerOptions = {
    ...moduleResolutions[resolution],
    target: 'es2022',
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: !declarations,
  }
  const config = join(project, `tsconfig.${resolution}.json`)
  writeFileSync(join(project, file), source)
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }))
  return runOnNode(process.execPath, project, resolve('node_modules/.bin/tsc'), '--project', config)
}
