/** `openapi` prints the document, or writes it to a file that a wrong call leaves alone. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCli, runHere } from '../testing/mock-process.ts'
import { openapiText } from './main.ts'

const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'openapi.json')

const openapi = (...argv: string[]) => runHere(['openapi', ...argv])

test('it prints the document of a variant', () => {
  expect(runCli(['openapi', '--variant', 'second'])).toEqual({
    status: 0,
    stdout: openapiText('second'),
    stderr: '',
  })
})

test('--output writes the document to a file, and nothing else', async () => {
  expect(await openapi('--output', file)).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(readFileSync(file, 'utf8')).toBe(openapiText('both'))
  expect(readdirSync(folder)).toEqual(['openapi.json'])
})

test.each([
  ['--help', 0],
  ['--nope', 2],
  ['--variant=third', 2],
])('with %s it does not touch the file, and exits with %i', async (flag, status) => {
  writeFileSync(file, 'untouched')
  expect((await openapi('--output', file, flag)).status).toBe(status)
  expect(readFileSync(file, 'utf8')).toBe('untouched')
})

test('a file that cannot be written is one line and exit 2', async () => {
  const { status, stdout, stderr } = await openapi('--output', folder)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^openapi: cannot write .+: E\w+\n$/)
})
