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

test.skipIf(process.platform === 'win32')(
  'a link to nothing, or to another link, is written through as a whole',
  () => {
    const own = mkdtempSync(join(folder, 'links-'))
    symlinkSync('second', join(own, 'first'))
    symlinkSync('target', join(own, 'second'))
    for (const text of ['new', 'newer']) {
      write(join(own, 'first'), text)
      expect(readFileSync(join(own, 'target'), 'utf8')).toBe(text)
    }
    const before = statSync(join(own, 'target')).ino
    write(join(own, 'first'), 'replaced')
    expect(statSync(join(own, 'target')).ino).not.toBe(before)
    expect(readdirSync(own).sort()).toEqual(['first', 'second', 'target'])
    symlinkSync('circle', join(own, 'circle'))
    expect(() => write(join(own, 'circle'), '')).toThrow(/^cannot write .+circle: ELOOP$/)
  },
)

test('what killed processes left half written goes, and nothing else', () => {
  const own = mkdtempSync(join(folder, 'drafts-'))
  const names = ['report.2147483646.tmp', `report.${process.ppid}.tmp`, 'report.tmp', 'other.2147483646.tmp']
  for (const name of names) writeFileSync(join(own, name), '')
  write(join(own, 'report'), 'text')
  expect(readdirSync(own).sort()).toEqual(['report', ...names.slice(1)].sort())
})

test.skipIf(process.platform === 'win32')('a device is written to', () => {
  write('/dev/null', 'text')
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})

test('what cannot be read or written is one line with the reason', () => {
  expect(() => readJson(folder)).toThrow(`cannot read ${folder}: EISDIR`)
  expect(() => write(join(folder, 'no', 'such'), '')).toThrow(/^cannot write .+such: ENOENT$/)
})
