/** The ready file exists only while its mock listens, and nothing else is removed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFolder } from '../testing/folder.ts'
import { runHere } from '../testing/in-process.ts'
import { runCli, startCli, startMock } from '../testing/process.ts'

test('the file of a mock that was started since stays', async () => {
  const { readyFile, stop } = await startMock('--log off')
  const other = '{"url":"http://127.0.0.1:1"}'
  writeFileSync(readyFile, other)
  await stop('SIGTERM')
  expect(readFileSync(readyFile, 'utf8')).toBe(other)
})

test('a command that ends removes it', async () => {
  const file = testFolder().file('ready.json')
  const script = `require('fs').readFileSync('${file}', 'utf8')`
  const { code, out } = await runCli(['mock', '--ready-file', file, '--', process.execPath, '-p', script])
  expect([code, JSON.parse(out).url, existsSync(file)]).toEqual([0, expect.stringMatching(/^http:/), false])
})

test('a reader that closes the output ends the mock, and removes it', async () => {
  const { file, json } = testFolder()
  const { child, ended } = startCli(`mock --port 0 --ready-file ${file('ready.json')}`)
  child.stdout.once('data', () => child.stdout.destroy())
  while (!existsSync(file('ready.json'))) await new Promise((resolve) => setTimeout(resolve, 20))
  const ask = () => fetch(`${url}/api/cli/whoami`).catch(() => 'gone')
  const { url } = json('ready.json')
  for (let i = 0; i < 5; i++) await ask()
  expect([(await ended).code, existsSync(file('ready.json'))]).toEqual([0, false])
})

test('nothing but a regular file is removed', async () => {
  const folder = testFolder().file('folder')
  mkdirSync(folder)
  const { code, err } = await runHere(`mock --port 0 --ready-file ${folder}`)
  expect([code, err, existsSync(folder)]).toEqual([2, `mock: cannot write ${folder}: EISDIR\n`, true])
})
