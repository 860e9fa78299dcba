/** The options of the search, and `verify --explore` on the embedded mock. */
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listen } from '#mocks/edges/http.ts'
import { createMutatedMock } from '#proof/mutations/mutation.ts'
import { changeField } from '#proof/mutations/reply.ts'
import { verifyCommandDefinition } from '../command-lines.ts'
import { readCommandLine } from '../flags.ts'
import { createTestFolder } from '../testing/folder.ts'
import { argumentsOfCall } from '../testing/in-process.ts'
import { readSearchOptions } from './explore.ts'
import { runVerifyInProcess } from './testing/service.ts'

const read = (flags: string) =>
  readSearchOptions(readCommandLine(verifyCommandDefinition, argumentsOfCall(flags), {}))

test('a number is a number of steps, anything else a time', () => {
  expect(read('')).toBeUndefined()
  expect(read('--explore 500')).toMatchObject({ until: { steps: 500 }, seed: 1, clients: 8, only: false })
  expect(read('--explore 60s')).toMatchObject({ until: { ms: 60_000 } })
  const search = read('--explore 1 --explore-seed 7 --explore-clients 2 --explore-only')
  expect(search).toMatchObject({ seed: 7, clients: 2, only: true })
})

test('the search alone reports what it tried, writes its history, and finds nothing in the mock', async () => {
  const { file, read } = createTestFolder()
  const history = file('history.ndjson')
  const { code, out, err } = await runVerifyInProcess(`--explore 60 --explore-only --history ${history}`)
  expect(out).toContain('PASSED')
  expect(err).toMatch(/explored \d+ steps, \d+ situations, \d+ requirements: 0 found/)
  expect(code).toBe(0)
  expect(read('history.ndjson')).toContain('"operation":"create')
})

test('a saved history is tried again; the mock does not show it', async () => {
  const steps = [
    { kind: 'call', at: 1, tenant: 'main', as: 'key', operation: 'createTask', body: { text: 'One {tag}' } },
    { kind: 'call', at: 2, tenant: 'main', as: 'key', operation: 'getTask', of: { made: 1 } },
  ]
  const file = createTestFolder().write('found.json', { requirement: 'RUN-KEEPS-TASK', steps })
  const { code, out } = await runVerifyInProcess(`--explore-replay ${file}`)
  expect(out).toContain('0 failed')
  expect(code).toBe(0)
})

/** Explores a service that shows another text of a task that has ended, or one that does not. */
async function exploreService(isBroken: boolean, folder: string, flags: string) {
  const isOver = ({ status }: { status?: unknown }) => status === 'completed'
  const another = changeField('getTask', 'task.text', (text, task) => (isOver(task) ? 'another' : text))
  // Runs end at once: otherwise a busy machine decides whether steps wait for the end of one.
  const mock = createMutatedMock(isBroken ? [another] : [], { runProgress: 'immediate', rateLimit: 'off' })
  await using listener = await listen(mock)
  const limits = '--consistency 100ms --run-timeout 2s --max-credits 15'
  const access = `--api-key ${mock.credentials().apiKey}`
  const explore = `--explore-only --explore-findings ${folder} ${flags}`
  return await runVerifyInProcess(`${listener.url} ${access} ${limits} ${explore}`)
}

test('a finding is kept in three files, tried alone, marked as fixed, and unmarked when it is back', async () => {
  const { folder, json } = createTestFolder()
  const files = () => readdirSync(folder).toSorted()
  const kept = () => json(files().find((one) => one.endsWith('.json')) ?? '')
  const explore = (isBroken: boolean, flags = '') => exploreService(isBroken, folder, flags)
  const first = await explore(true, '--explore 150 --explore-seed 3')
  expect(first.code).toBe(1)
  const [name = ''] = files()
  const stem = name.replace(/\.json$/, '')
  expect(stem).toMatch(/^RUN-KEEPS-TASK-[0-9a-f]{8}$/)
  expect(files()).toEqual([`${stem}.json`, `${stem}.sh`, `${stem}.test.ts`])
  expect(first.err).toContain(`kept in ${folder}: ${stem}`)

  const again = await explore(true)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining(`1 kept finding still there: ${stem}`)])
  expect(again.out).toContain('RUN-KEEPS-TASK')
  expect(files()).toHaveLength(3)

  const gone = await explore(false)
  expect([gone.code, gone.err]).toEqual([0, expect.stringContaining(`marked as fixed: ${stem}`)])
  expect(kept().fixed).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect((await explore(false)).err).not.toContain('fixed')

  const back = await explore(true)
  expect([back.code, back.err]).toEqual([1, expect.stringContaining(`no longer marked as fixed: ${stem}`)])
  expect(kept()).not.toHaveProperty('fixed')
}, 120_000)

test('a finding about keys that were created anew shows none of their secrets, on the screen and in its files', async () => {
  const another = changeField('listKeys', 'keys.*.name', (name) =>
    /^key /.test(String(name)) ? 'another' : name,
  )
  const mock = createMutatedMock([another], { runProgress: 'immediate', rateLimit: 'off' })
  await using listener = await listen(mock)
  const { apiKey, sessionCookie } = mock.credentials()
  const access = `--api-key ${apiKey} --session-cookie ${sessionCookie}`
  const fresh = `--fresh-keys ${apiKey}-* --fresh-sessions ${sessionCookie}-*`
  const { folder, read } = createTestFolder()
  const search = `--explore-only --explore 1200 --explore-seed 3 --explore-findings ${folder}`
  const { out } = await runVerifyInProcess(`${listener.url} ${access} ${fresh} ${search} --consistency 100ms`)
  const shown = [out, ...readdirSync(folder).map(read)].join('\n')
  expect(shown).toContain('/api/cli/keys')
  expect(out).toContain('in an organization that nobody had used')
  expect(shown.match(/wak_live_\w{12,}/g)).toBeNull()
})
