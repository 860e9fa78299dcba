/** The command itself: it knows its siblings, and says so in one line. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

function run(...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/main.ts', ...argv], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('an unknown command is one line and exit 2', () => {
  const { status, stdout, stderr } = run('mok')
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^unknown command "mok"; usage: [^\n]+\n$/)
})

test('help of a command lists its flags with their variables and exits 0', () => {
  const { status, stdout, stderr } = run('mock', '--help')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/--run-duration <2s>.+\[WORK_AGENT_MOCK_RUN_DURATION\]/)
})
