/** Installing the package runs no script, and brings only licences that SECURITY.md names. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { billOfMaterials, lockedRuntimePackages } from './sbom.ts'

const { scripts, files, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const packages = [...lockedRuntimePackages().values()]

test('nothing runs at installation', () => {
  const running = ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in scripts)
  expect([running, packages.filter((one) => one.hasInstallScript)]).toEqual([[], []])
})

test('what is published lists everything that it brings', () => {
  expect(files).toContain('sbom.json')
  const { components, dependencies: edges } = billOfMaterials()
  expect(components.map(({ name }) => name).sort()).toEqual([...lockedRuntimePackages().keys()].sort())
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)))
  expect(edges.length).toBe(components.length + 1)
})

test('every package that is brought along has the licence that the page says', () => {
  expect(packages.length).toBeGreaterThan(5)
  expect(new Set(packages.map(({ license }) => license))).toEqual(new Set(['MIT']))
  expect(readFileSync('SECURITY.md', 'utf8')).toContain('all of it has the MIT licence')
})
