/** The command line as a whole: help, version, and one line for an unknown command. */
import { expect, test } from 'vitest'
import suite from '../package.json' with { type: 'json' }
import { commandLines } from './command-lines.ts'
import { runHere } from './testing/in-process.ts'
import { runCli } from './testing/process.ts'

test('an unknown command is one line and exit 2', async () => {
  const err = "work-agent-contract: unknown command 'mok' (Did you mean mock?)\n"
  expect(await runCli('mok')).toEqual({ code: 2, out: '', err })
})

test('--help lists every command with a sentence and an example, and exits 0', async () => {
  const { code, out, err } = await runHere('--help')
  expect([code, err]).toEqual([0, ''])
  const words = out.replace(/\s+/g, ' ')
  for (const { name, summary, example } of commandLines) {
    expect(words).toContain(summary)
    expect(words).toContain(`work-agent-contract ${name} ${example}`)
  }
})

test('without a command it prints the help and exits 2', async () => {
  expect(await runHere('')).toEqual({ ...(await runHere('--help')), code: 2 })
})

test('--version prints the version and exits 0', async () => {
  expect(await runHere('--version')).toEqual({ code: 0, out: `${suite.version}\n`, err: '' })
})

test('help of a command lists its flags in groups with their variables and exits 0', async () => {
  const help = await runHere('mock --help')
  expect([help.code, help.err]).toEqual([0, ''])
  expect(help.out).toMatch(/^Runs:\n {2}--run-duration <2s>.+\[WORK_AGENT_MOCK_RUN_DURATION\]$/m)
  expect(help.out).toMatch(/^Example:\n {2}work-agent-contract mock /m)
  expect(await runHere('help mock')).toEqual(help)
})

test('a command leaves variables of all others alone', async () => {
  const others = commandLines.filter(({ name }) => name !== 'verify')
  const env = Object.fromEntries(
    others.map(({ name }) => [`WORK_AGENT_${name.toUpperCase()}_CONFIG`, '/no/such']),
  )
  expect((await runHere('verify --list', env)).code).toBe(0)
})
