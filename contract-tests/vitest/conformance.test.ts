/** The suite in vitest has the same results and texts as the command line. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import { catalogue } from '../catalogue/index.ts'

const parent = mkdtempSync(join(tmpdir(), 'vitest-'))
afterAll(() => rmSync(parent, { recursive: true }))

interface Result {
  readonly title: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

/** Services as source text, by the name of their file. */
const services = {
  leaking: `{
    target: withMiddleware(target, async ({ path }, next) =>
      path === '/api/cli/whoami' ? Response.json({ org: {}, leak: apiKey }) : next()),
    settings: { apiKey, only: ['*whoami*'] },
  }`,
  missing: `{
    target: withMiddleware(target, async () => { throw new TypeError('cannot send ' + apiKey) }),
    settings: { apiKey },
  }`,
  whole: '{ target, settings: { apiKey } }',
}
type Service = keyof typeof services

/** Runs vitest on files that declare the suite for a service each, as a team of its own would. */
async function runVitest(names: Service[], argv: string[] = []): Promise<ReadonlyMap<Service, Result[]>> {
  const here = (file: string) => JSON.stringify(resolve('contract-tests', file))
  const folder = mkdtempSync(join(parent, 'project-'))
  for (const name of names)
    writeFileSync(
      join(folder, `${name}.test.ts`),
      `import { declareRequirementTests } from ${here('vitest/conformance.ts')}
     import { createEmbeddedMock } from ${here('targets/in-process.ts')}
     import { withMiddleware } from ${here('testing/middleware.ts')}
     const { target, access: { apiKey } } = createEmbeddedMock()
     declareRequirementTests('service', () => (${services[name]}))\n`,
    )
  // Vitest takes longer to translate the sources than for all the rest; Node need not.
  const native = { test: { isolate: false, maxWorkers: 1, experimental: { viteModuleRunner: false } } }
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(native)}\n`)
  const report = join(folder, 'results.json')
  const vitest = resolve('node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--root', folder, '--reporter', 'json', '--outputFile', report, ...argv]
  await promisify(execFile)(process.execPath, args).catch(() => undefined)
  const files: { name: string; assertionResults: Result[] }[] = JSON.parse(
    readFileSync(report, 'utf8'),
  ).testResults
  return new Map(
    files.map(({ name, assertionResults }) => [basename(name, '.test.ts') as Service, assertionResults]),
  )
}

const idsOf = (results: readonly Result[], status: string) =>
  results.filter((one) => one.status === status).map(({ title }) => title.split(' ')[0])

/** The tests that run; in the gate few, since nearly four hundred that fail take longer than all the rest. */
const selected = isExhaustiveTestRun ? /./ : /whoami|SHAPE-listTasks/

let results: ReadonlyMap<Service, Result[]>
beforeAll(async () => {
  results = await runVitest(['leaking', 'missing'], ['-t', selected.source])
})

test('each requirement is a test: it passes, fails in the words of the report, or is skipped', () => {
  const all = results.get('leaking') ?? []
  expect(all.map(({ title }) => title.split(' ')[0])).toEqual(catalogue.map(({ id }) => id))
  const of = (id: string) => all.find(({ title }) => title.startsWith(`${id} `))
  expect(of('ACCEPTS-whoami')?.status).toBe('passed')
  expect(of('SHAPE-listTasks')?.status).toMatch(/skipped|pending/)
  const failure = of('SHAPE-whoami')
  expect(failure?.status).toBe('failed')
  expect(failure?.failureMessages[0]).toMatch(
    /Requirement .*\n +Expected .*\n +Actual .*\n +Exchange .*\n +Reproduce/,
  )
  expect(failure?.failureMessages[0]).toContain('"leak":"$WORK_AGENT_API_KEY"')
})

test('a service that is not there fails each test, in one line and without the key', () => {
  const failed = (results.get('missing') ?? []).filter(({ status }) => status === 'failed')
  const titles = catalogue.map(({ id, statement }) => `${id} ${statement}`)
  expect(failed.map(({ title }) => title)).toEqual(titles.filter((title) => selected.test(title)))
  for (const { failureMessages } of failed)
    expect(failureMessages[0]).toMatch(
      /^Error: --base-url \(WORK_AGENT_BASE_URL\): http:\/\/embedded-mock\.invalid does not answer: cannot send \$WORK_AGENT_API_KEY\n/,
    )
})

test.runIf(isExhaustiveTestRun)('only the tests that -t selects run', async () => {
  const selected = await runVitest(['whole', 'missing'], ['-t', 'ACCEPTS-whoami '])
  expect(idsOf(selected.get('whole') ?? [], 'passed')).toEqual(['ACCEPTS-whoami'])
  expect(idsOf(selected.get('missing') ?? [], 'failed')).toEqual(['ACCEPTS-whoami'])
  expect(idsOf(selected.get('missing') ?? [], 'passed')).toEqual([])
})
