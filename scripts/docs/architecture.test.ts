/** The map of the code is true: its diagrams match the import rules, and its paths and functions exist. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { faultRows } from '#mocks/faults/fault.ts'
import { layersByFolder } from '../boundaries.ts'
import { pages } from './testing/pages.ts'

const pageOf = (path: string) => {
  const page = pages.find((one) => one.path === path)
  if (!page) throw new Error(`no page ${path}`)
  return page
}
const map = pageOf('docs/architecture.md')

/** Paths in inline code, tables included; a `<word>` stands for any name. */
const pathsIn = (prose: string) =>
  [...prose.matchAll(/`((?:[\w.*<>-]+\/)+[\w.*<>-]*|[\w-]+\.(?:ts|json|md))`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.startsWith('node:'))

test.each([
  'docs/architecture.md',
  'docs/journeys.md',
  'CONTRIBUTING.md',
])('every path in %s exists', (path) => {
  const paths = pathsIn(pageOf(path).prose)
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((one) => globSync(one.replace(/<\w+>/g, '*')).length === 0)).toEqual([])
})

test('every function of a journey is in its file', () => {
  const steps = [...pageOf('docs/journeys.md').prose.matchAll(/^\| `([\w/.-]+\.ts)` \| `(\w+)` \|/gm)]
  expect(steps.length).toBeGreaterThan(40)
  const missing = steps.filter(
    ([, file = '', name]) => !new RegExp(`\\b${name}\\b`).test(readFileSync(file, 'utf8')),
  )
  expect(missing.map(([step]) => step)).toEqual([])
})

test('the diagrams show every folder', () => {
  for (const folder of ['mocks', 'contract-tests']) {
    const shown = layersByFolder[folder]?.flat().filter((name) => name !== '.')
    const folders = globSync(`${folder}/*/`).map((path) => basename(path))
    expect(shown?.sort()).toEqual(folders.filter((name) => name !== 'testing').sort())
  }
  expect(layersByFolder['']?.flat()).toEqual(
    expect.arrayContaining(['contract', 'mocks', 'contract-tests', 'scripts']),
  )
})

test('every folder has a row that says what it is for', () => {
  const folders = Object.entries(layersByFolder).flatMap(([folder, levels]) =>
    levels.flat().map((name) => (name === '.' ? join(folder, 'app.ts') : `${join(folder, name)}/`)),
  )
  expect(folders.filter((name) => !existsSync(name))).toEqual([])
  expect(folders.filter((name) => !map.prose.includes(`\n| \`${name}\` | `))).toEqual([])
})

test('the page of faults has every fault but the error codes, which it has as one row', () => {
  const { prose } = pageOf('docs/faults.md')
  const missing = faultRows.filter(({ keyword, kind }) => kind !== 'error' && !prose.includes(`\`${keyword}`))
  expect(missing.map(({ keyword }) => keyword)).toEqual([])
})
