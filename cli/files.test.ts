/** Files are replaced as a whole, keep their mode, and devices and links are written through. */
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readJson, write } from './files.ts'

const folder = mkdtempSync(join(tmpdir(), 'files-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a file is replaced and keeps its mode', () => {
  const file = join(folder, 'private.json')
  writeFileSync(file, 'old', { mode: 0o600 })
  write(file, '{"a":1}')
  expect([readJson(file), statSync(file).mode & 0o777]).toEqual([{ a: 1 }, 0o600])
  expect(readdirSync(folder)).toEqual(['private.json'])
})

test.skipIf(process.platform === 'win32')('a link is written through', () => {
  const [target, link] = [join(folder, 'target'), join(folder, 'link')]
  symlinkSync(target, link)
  write(link, 'text')
  expect([readFileSync(target, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['text', true])
})

test.skipIf(process.platform === 'win32')('a device is written to', () => {
  write('/dev/null', 'text')
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})

test('what cannot be read or written is one line with the reason', () => {
  expect(() => readJson(folder)).toThrow(`cannot read ${folder}: EISDIR`)
  expect(() => write(join(folder, 'no', 'such'), '')).toThrow(/^cannot write .+such: ENOENT$/)
})
