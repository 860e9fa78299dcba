/** The ready file exists only while its mock listens, and nothing else is removed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, runHere, startCli, startMock, testFolder } from '../testing/mock-process.ts'

test('the file of a mock that was started since stays', async () => {
  const { readyFile, stop } = await startMock(['--log', 'off'])
  writeFileSync(readyFile, '{"url":"http://127.0.0.1:1"}')
  await stop('SIGTERM')
  expect(readFileSync(readyFile, 'utf8')).toContain('127.0.0.1:1')
})

test('a command that ends removes it', () => {
  const file = join(testFolder(), 'ready.json')
  const script = `require('fs').readFileSync('${file}', 'utf8')`
  const argv = ['mock', '--ready-file', file, '--', process.execPath, '-p', script]
  const { status, stdout } = runCli(argv)
  expect([status, JSON.parse(stdout).url, existsSync(file)]).toEqual([
    0,
    expect.stringMatching(/^http:/),
    false,
  ])
})

test('a reader that closes the output ends the mock, and removes it', async () => {
  const file = join(testFolder(), 'ready.json')
  const { child, ended } = startCli(['mock', '--port', '0', '--ready-file', file])
  child.stdout.once('data', () => child.stdout.destroy())
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20))
  const { url } = JSON.parse(readFileSync(file, 'utf8'))
  const ask = () => fetch(`${url}/api/cli/whoami`).catch(() => 'gone')
  for (let i = 0; i < 5; i++) await ask()
  expect([(await ended).code, existsSync(file)]).toEqual([0, false])
})

test('nothing but a regular file is removed', async () => {
  const folder = join(testFolder(), 'folder')
  mkdirSync(folder)
  const { status, stderr } = await runHere(['mock', '--port', '0', '--ready-file', folder])
  expect([status, stderr, existsSync(folder)]).toEqual([2, `mock: cannot write ${folder}: EISDIR\n`, true])
})
