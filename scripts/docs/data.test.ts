/** The JSON, YAML and HTTP of the pages is valid, and the mock and the action accept it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { createTestFolder } from '#cli/testing/folder.ts'
import { createMock } from '#mocks/app.ts'
import { testOrigin } from '#mocks/testing/client.ts'
import { pages } from './testing/pages.ts'
import { runCliInFolder, startDefaultMock } from './testing/reader.ts'

const blocksIn = (language: string) =>
  pages.flatMap(({ blocks }) => blocks.filter((block) => block.language === language))

test.each(blocksIn('json'))('$page:$line is JSON', ({ text }) => {
  expect(() => JSON.parse(text)).not.toThrow()
})

test.each(blocksIn('http'))('$page:$line is answered by the mock', async ({ text }) => {
  const [, method = '', headers = '', body = ''] = /^(\w+) <states_url>\n(.*?)\n\n(.*)$/s.exec(text) ?? []
  const mock = createMock()
  const answer = await mock.fetch(
    new Request(`${testOrigin}/__admin/states`, {
      method,
      headers: headers.split('\n').map((line) => line.split(': ') as [string, string]),
      body: body.replace('org_…', mock.organization().id),
    }),
  )
  expect(answer.status, await answer.text()).toBe(200)
})

interface Job {
  readonly script: readonly string[]
  readonly variables: Record<string, string>
  readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } }
}

const yaml = blocksIn('yaml').map((block) => ({ ...block, root: parse(block.text) }))

test.each(
  yaml.filter(({ root }) => Array.isArray(root)),
)('the step on GitHub runs a commit by its hash, with what the action takes and gives: $page:$line', (block) => {
  const [step] = block.root
  const [, folder = '.'] = /^[^/]+\/[^/]+\/(.+)@/.exec(step.uses) ?? []
  const { inputs, outputs } = parse(readFileSync(join(folder, 'action.yml'), 'utf8'))
  // Nobody owns the name yet.
  expect(step.uses).toMatch(/@[0-9a-f]{40}$/)
  const required = Object.keys(inputs).filter((name) => inputs[name].required)
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)))
  expect(Object.keys(step.with)).toEqual(expect.arrayContaining(required))
  const read = [...block.text.matchAll(/steps\.(\w+)\.outputs\.(\w+)/g)].map(([, id, name]) => [id, name])
  expect(read.length).toBeGreaterThan(0)
  for (const [id, name] of read)
    expect([id, Object.keys(outputs)]).toEqual([step.id, expect.arrayContaining([name])])
})

/** A client that asks who it is. */
const client = `const { WORK_AGENT_BASE_URL: url, WORK_AGENT_API_KEY: key } = process.env
fetch(url + '/api/cli/whoami', { headers: { authorization: 'Bearer ' + key } })`

test.each(
  yaml.filter(({ root }) => !Array.isArray(root)),
)('a GitLab job does its work with its variables, and writes its artifacts: $page:$line', async ({
  root,
}) => {
  const [job] = Object.values<Job>(root)
  const { folder, read, write } = createTestFolder()
  const { port, stop } = await startDefaultMock()
  onTestFinished(stop)
  write('my-client.js', client)
  const script = job?.script.join('\n') ?? ''
  const [, call = ''] =
    /^npm ci\nnpx --no-install work-agent-contract ((?:check|verify) .*)$/.exec(script) ?? []
  const { code, out, err } = await runCliInFolder(folder, call.split(' '), {
    ...job?.variables,
    WORK_AGENT_BASE_URL: `http://127.0.0.1:${port}`,
    WORK_AGENT_API_KEY: 'wak_test_demo',
    WORK_AGENT_ONLY: 'AUTH-*',
    WORK_AGENT_CHECK_SCENARIO: 'second-variant',
  })
  expect(code, err + out).toBe(0)
  for (const file of [...(job?.artifacts.paths ?? []), job?.artifacts.reports.junit ?? ''])
    expect(read(file)).not.toBe('')
})
