/** The command line as a whole: help, version, and one line for an unknown command. */
import { expect, test } from 'vitest'
import suite from '../package.json' with { type: 'json' }
import { commandLines } from './command-lines.ts'
import { runCli, runHere } from './testing/mock-process.ts'

test('an unknown command is one line and exit 2', () => {
  const { status, stdout, stderr } = runCli(['mok'])
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toBe("work-agent-contract: unknown command 'mok' (Did you mean mock?)\n")
})

test('--help lists every command with a sentence and an example, and exits 0', async () => {
  const { status, stdout, stderr } = await runHere(['--help'])
  expect([status, stderr]).toEqual([0, ''])
  const words = stdout.replace(/\s+/g, ' ')
  for (const { name, summary, example } of commandLines) {
    expect(words).toContain(summary)
    expect(words).toContain(`work-agent-contract ${name} ${example}`)
  }
})

test('without a command it prints the help and exits 2', async () => {
  expect(await runHere([])).toEqual({ ...(await runHere(['--help'])), status: 2 })
})

test('--version prints the version and exits 0', () => {
  expect(runCli(['--version'])).toEqual({ status: 0, stdout: `${suite.version}\n`, stderr: '' })
})

test('help of a command lists its flags in groups with their variables and exits 0', async () => {
  const { status, stdout, stderr } = await runHere(['mock', '--help'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^Runs:\n {2}--run-duration <2s>.+\[WORK_AGENT_MOCK_RUN_DURATION\]$/m)
  expect(stdout).toMatch(/^Example:\n {2}work-agent-contract mock /m)
  expect(await runHere(['help', 'mock'])).toEqual({ status, stdout, stderr })
})
