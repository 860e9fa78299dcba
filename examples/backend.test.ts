/** The examples of backends pass the whole suite, by the commands in their READMEs, and their bugs do not. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runCliInProcess } from '#cli/testing/in-process.ts'
import { startProcessUntilReady } from '#cli/testing/run.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { isExhaustiveTestRun, sampleUnlessExhaustive } from '#mocks/testing/sample.ts'

/** Starts a backend and runs the command of its README on it, with other flags after it. */
async function verified(folder: string, command: string, words: readonly string[], more: string[] = []) {
  await using program = await startProcessUntilReady(command, [...words, '--port', '0'], {
    cwd: folder,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  const { event, url, ...credentials } = program.ready
  expect(event).toBe('listening')

  const readme = readFileSync(`${folder}/README.md`, 'utf8')
  const [, flags = ''] = /^npm run verify -- (.*?)\n```$/ms.exec(readme) ?? []
  // In the gate the search ends after so many requests, not after seconds.
  const searched = isExhaustiveTestRun ? flags : flags.replace('--explore 3s', '--explore 100')
  const given = searched.replaceAll(/http:\/\/127\.0\.0\.1:4\d00/g, url).split(/[\s\\]+/)
  expect(given).toEqual(expect.arrayContaining([url, ...Object.values(credentials)]))
  const { code, out, err } = await runCliInProcess(['verify', ...given, ...more])
  return { code, said: out + err }
}

const passed = /^PASSED: \d+ passed, 0 failed,(?: \d+ not applicable,)? of \d+$/m

/** In the gate, every sixth requirement. */
const part = isExhaustiveTestRun
  ? []
  : [
      '--only',
      sampleUnlessExhaustive(catalogue, 6)
        .map(({ id }) => id)
        .join(),
    ]

test.concurrent('the backend in Python keeps every requirement, and none is left out', async ({ skip }) => {
  if (spawnSync('python3', ['--version']).status !== 0) skip('python3 does not run here')
  const { code, said } = await verified('examples/backend-python', 'python3', ['service.py'], part)
  expect(code, said).toBe(0)
  expect(said).toMatch(passed)
})

test.concurrent('the backend in Node keeps every requirement, and none is left out', async () => {
  const { code, said } = await verified('examples/backend-node', process.execPath, ['server.ts'], part)
  expect(code, said).toBe(0)
  expect(said).toMatch(passed)
})

const debianPython = '/usr/bin/python3'

test.concurrent('the backend in Django breaks no requirement', async ({ skip }) => {
  if (spawnSync(debianPython, ['-c', 'import django']).status !== 0) skip('Django is not installed')
  const { code, said } = await verified('examples/backend-django', debianPython, ['service.py'], part)
  expect(code, said).toBe(0)
  expect(said).toMatch(/^PASSED: \d+ passed, 0 failed,/m)
})

const bugs = [
  ['document-cache-before-owner', 'ISOLATION-GET-DOCUMENT'],
  ['join-doubles', 'LIST-IDS-UNIQUE'],
  ['conflict-charged', 'RUN-TWICE'],
] as const

test.each(
  sampleUnlessExhaustive(bugs, 3),
)('the bug %s of the backend in Node is seen', async (bug, requirement) => {
  const words = ['server.ts', '--bug', bug]
  const more = ['--explore', '1', ...(isExhaustiveTestRun ? [] : ['--only', requirement])]
  const { code, said } = await verified('examples/backend-node', process.execPath, words, more)
  expect(code, said).toBe(1)
  expect(said).toContain(`failed: ${requirement}\n`)
})
