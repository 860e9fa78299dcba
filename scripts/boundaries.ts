/** Holds the walls of the house: which folder may import from which. Prints each breach and exits 1. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** For each folder, the folders that it may import from beside itself. The longest prefix counts. */
const walls: Record<string, string[]> = {
  contract: [],
  markup: [],
  fixtures: ['contract', 'mocks'],
  mocks: ['contract', 'fixtures', 'markup'],
  'contract-tests': ['contract', 'contract-tests/targets', 'markup'],
  'contract-tests/targets': ['contract', 'contract-tests', 'mocks'],
  'contract-tests/self-proof': ['contract', 'contract-tests', 'contract-tests/targets', 'mocks'],
  scripts: [
    'contract',
    'contract-tests',
    'contract-tests/targets',
    'contract-tests/self-proof',
    'mocks',
    'fixtures',
    'markup',
  ],
}

const folders = Object.keys(walls).sort((a, b) => b.length - a.length)
const folderOf = (path: string) => folders.find((folder) => path.startsWith(`${folder}/`))
const imported = /(?:from|import)\s*\(?\s*'([^']+)'/g

const breaches = globSync('{contract,markup,fixtures,mocks,contract-tests,scripts}/**/*.ts').flatMap(
  (file) => {
    const home = folderOf(file)
    if (!home || file.endsWith('.test.ts') || file.includes('/testing/')) return []
    return [...readFileSync(file, 'utf8').matchAll(imported)].flatMap(([, specifier = '']) => {
      const target = specifier.startsWith('#')
        ? specifier.slice(1)
        : specifier.startsWith('.')
          ? join(dirname(file), specifier)
          : undefined
      const folder = target && folderOf(target)
      if (!folder || folder === home || walls[home]?.some((open) => folder === open)) return []
      return [`${file} imports ${specifier}: ${home} may not import from ${folder}`]
    })
  },
)

for (const breach of breaches) process.stderr.write(`${breach}\n`)
process.exitCode = breaches.length > 0 ? 1 : 0
