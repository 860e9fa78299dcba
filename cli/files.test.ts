/** Files are replaced as a whole, keep their mode, and devices and links are written through; a summary is added to. */
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkWritable, readJsonFile, UsageError, writeAtomically } from './files.ts'
import { appendJobSummary } from './reports.ts'
import { createTestFolder } from './testing/folder.ts'

test('a file is replaced and keeps its mode; the mark before a text is no part of it', () => {
  const { folder, file, write: put } = createTestFolder()
  chmodSync(put('private.json', 'old'), 0o600)
  writeAtomically(file('private.json'), '\ufeff{"a":1}')
  expect([readJsonFile(file('private.json')), statSync(file('private.json')).mode & 0o777]).toEqual([
    { a: 1 },
    0o600,
  ])
  expect(readdirSync(folder)).toEqual(['private.json'])
})

test('a link to nothing, or to another link, is written through as a whole', () => {
  const { folder, file, read } = createTestFolder()
  symlinkSync('second', file('first'))
  symlinkSync('target', file('second'))
  for (const text of ['new', 'newer']) {
    writeAtomically(file('first'), text)
    expect(read('target')).toBe(text)
  }
  const before = statSync(file('target')).ino
  writeAtomically(file('first'), 'replaced')
  expect(statSync(file('target')).ino).not.toBe(before)
  expect(readdirSync(folder).sort()).toEqual(['first', 'second', 'target'])
  symlinkSync('circle', file('circle'))
  expect(() => writeAtomically(file('circle'), '')).toThrow(/^cannot write .+circle: ELOOP$/)
})

test('a file that cannot be written is refused before anything is done, also where folders cannot be made', () => {
  const { file, read } = createTestFolder()
  checkWritable(file('a/b/report.html'))
  writeAtomically(file('a/b/report.html'), 'text')
  expect(read('a/b/report.html')).toBe('text')
  if (process.platform !== 'linux') return
  for (const name of ['/proc/none/report.html', '/proc/none.html', '/proc/self/none/report.html'])
    expect(() => checkWritable(name)).toThrow(new UsageError(`cannot write ${name}: ENOENT`))
})

test('what killed processes left half written goes, and nothing else', () => {
  const { folder, file, write: put } = createTestFolder()
  const names = ['report.2147483646.tmp', `report.${process.ppid}.tmp`, 'report.tmp', 'other.2147483646.tmp']
  for (const name of names) put(name, '')
  writeAtomically(file('report'), 'text')
  expect(readdirSync(folder).sort()).toEqual(['report', ...names.slice(1)].sort())
})

test('a device is written to', () => {
  writeAtomically('/dev/null', 'text')
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})

test('what cannot be read or written is one line with the reason', () => {
  const { folder, file } = createTestFolder()
  expect(() => readJsonFile(folder)).toThrow(`cannot read ${folder}: EISDIR`)
  expect(() => writeAtomically(file('no/such'), '')).toThrow(/^cannot write .+such: ENOENT$/)
})

test('the summary is appended to what is there', () => {
  const { read, write } = createTestFolder()
  appendJobSummary(write('summary.md', 'before\n'), '# ❌ Conformance\n')
  expect(read('summary.md')).toBe('before\n# ❌ Conformance\n')
})

test('a summary that GitHub would reject is cut, by bytes', () => {
  const { file } = createTestFolder()
  const long = '❌ failed\n'.repeat(100_000)
  expect(Buffer.byteLength(long)).toBeGreaterThan(1_048_576)
  appendJobSummary(file('long.md'), long)
  const written = readFileSync(file('long.md'))
  expect(written.byteLength).toBeLessThan(1_048_576)
  expect(written.toString()).toMatch(/failed\n\n\(truncated: .*\)\n$/)
})

test('a summary that cannot be written is one line', () => {
  expect(() => appendJobSummary('/no/such/folder/summary.md', '')).toThrow(UsageError)
})
