/** The suite in vitest has the same results and texts as the command line. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, test } from 'vitest'
import { isWhole } from '#mocks/testing/sample.ts'
import { catalogue } from '../catalogue/index.ts'

const parent = mkdtempSync(join(tmpdir(), 'vitest-'))
afterAll(() => rmSync(parent, { recursive: true }))

interface Result {
  readonly title: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

/** Runs vitest on a file that declares the suite for a service, as a team of its own would; answers its results. */
async function results(service: string, argv: string[]): Promise<Result[]> {
  const here = (file: string) => JSON.stringify(resolve('contract-tests', file))
  const folder = mkdtempSync(join(parent, 'project-'))
  const file = join(folder, 'service.test.ts')
  writeFileSync(
    file,
    `import { conformance } from ${here('vitest/conformance.ts')}
     import { embeddedMock } from ${here('targets/in-process.ts')}
     import { middleware } from ${here('testing/middleware.ts')}
     const { target, access: { apiKey } } = embeddedMock()
     conformance('service', () => (${service}))\n`,
  )
  const report = join(folder, 'results.json')
  const vitest = resolve('node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--root', folder, '--reporter', 'json', '--outputFile', report, ...argv]
  await promisify(execFile)(process.execPath, args).catch(() => undefined)
  return JSON.parse(readFileSync(report, 'utf8')).testResults[0].assertionResults
}

test.concurrent('each requirement is a test: it passes, fails in the words of the report, or is skipped', async ({
  expect,
}) => {
  const all = await results(
    `{
      target: middleware(target, async ({ path }, next) =>
        path === '/api/cli/whoami' ? Response.json({ org: {}, leak: apiKey }) : next()),
      settings: { apiKey, only: ['*whoami*'] },
    }`,
    [],
  )
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

test.concurrent('a service that is not there fails each test that -t selects, in one line and without the key', async ({
  expect,
}) => {
  const all = await results(
    `{
      target: middleware(target, async () => { throw new TypeError('cannot send ' + apiKey) }),
      settings: { apiKey },
    }`,
    ['-t', 'ACCEPTS-whoami '],
  )
  const failed = all.filter(({ status }) => status === 'failed')
  expect(failed.map(({ title }) => title.split(' ')[0])).toEqual(['ACCEPTS-whoami'])
  expect(failed[0]?.failureMessages[0]).toMatch(
    /^Error: --base-url \(WORK_AGENT_BASE_URL\): http:\/\/embedded-mock\.invalid does not answer: cannot send \$WORK_AGENT_API_KEY\n/,
  )
  expect(all.filter(({ status }) => status === 'passed')).toEqual([])
})

test.runIf(isWhole)('only the tests that -t selects run', async ({ expect }) => {
  const all = await results('{ target, settings: { apiKey } }', ['-t', 'ACCEPTS-whoami '])
  const passed = all.filter(({ status }) => status === 'passed')
  expect(passed.map(({ title }) => title.split(' ')[0])).toEqual(['ACCEPTS-whoami'])
})
