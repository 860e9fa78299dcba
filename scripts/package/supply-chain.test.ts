/** What installing the package brings: no script that runs, and only licences that SECURITY.md names. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  readonly license?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly peer?: boolean
  readonly devOptional?: boolean
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>
}
const brought = Object.entries(packages).filter(
  ([, { dev, optional, peer, devOptional }]) => !(dev || optional || peer || devOptional),
)

test('nothing runs at installation', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const running = ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in scripts)
  expect([running, brought.filter(([, one]) => one.hasInstallScript)]).toEqual([[], []])
})

test('every package that is brought along has the licence that the page says', () => {
  expect(brought.length).toBeGreaterThan(5)
  expect(new Set(brought.map(([, { license }]) => license))).toEqual(new Set(['MIT']))
  expect(readFileSync('SECURITY.md', 'utf8')).toContain('all of it has the MIT licence')
})
