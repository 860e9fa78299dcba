/** `openapi` prints the document, or writes it to a file that a wrong call leaves alone. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { builtCommand } from '../testing/command.ts'
import { openapiText } from './main.ts'

const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'openapi.json')

function openapi(...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtCommand, 'openapi', ...argv], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('it prints the document of a variant', () => {
  expect(openapi('--variant', 'second')).toEqual({ status: 0, stdout: openapiText('second'), stderr: '' })
})

test('--output writes the document to a file, and nothing else', () => {
  expect(openapi('--output', file)).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(readFileSync(file, 'utf8')).toBe(openapiText('both'))
  expect(readdirSync(folder)).toEqual(['openapi.json'])
})

test.each([
  ['--help', 0],
  ['--nope', 2],
  ['--variant=third', 2],
])('with %s it does not touch the file, and exits with %i', (flag, status) => {
  writeFileSync(file, 'untouched')
  expect(openapi('--output', file, flag).status).toBe(status)
  expect(readFileSync(file, 'utf8')).toBe('untouched')
})

test('a file that cannot be written is one line and exit 2', () => {
  const { status, stdout, stderr } = openapi('--output', folder)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^openapi: cannot write .+: E\w+\n$/)
})
