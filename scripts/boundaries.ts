/**
 * Checks the walls of the repository: imports run downward only, between folders and between the rooms inside
 * `mocks` and `contract-tests`. Prints what does not, and exits with code 1.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Rooms of a folder from the lowest floor up: a room may import from every floor below its own. */
export const floors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '': [
    ['contract'],
    ['traffic'],
    ['reporting'],
    ['mocks', 'client-tests', 'contract-tests'],
    ['fixtures', 'page', 'proof'],
    ['cli'],
    ['scripts'],
  ],
  mocks: [
    ['core'],
    ['faults', 'journal', 'seed'],
    ['handlers'],
    ['config', 'quirks'],
    ['scenarios'],
    ['tenants'],
    ['pipeline'],
    ['control', 'recorded'],
    ['edges'],
    ['.'],
  ],
  'contract-tests': [
    ['client'],
    ['model'],
    ['harness'],
    ['search'],
    ['evidence'],
    ['catalogue'],
    ['report'],
    ['runner'],
    ['strength'],
    ['targets', 'traceability'],
    ['vitest'],
  ],
}

/** Imports between rooms of one floor that are allowed: a room, and what it may import from. */
export const doors: readonly (readonly [from: string, to: string])[] = [
  ['mocks/control', 'client-tests'],
  ['mocks/edges', 'client-tests'],
  ['mocks/edges', 'contract-tests'],
  ['contract-tests/targets', 'mocks'],
]

const isIn = (path: string, folder: string) => path.startsWith(`${folder}/`)

/** The room of a file inside a folder (`''`: the repository); `.` for a file of the folder itself. */
function roomOf(path: string, folder: string): string {
  const [room = '', ...rest] = path.slice(folder === '' ? 0 : folder.length + 1).split('/')
  return rest.length > 0 ? room : '.'
}

/** Why a file may not import another; undefined: it may. */
function problemOf(file: string, target: string): string | undefined {
  if (doors.some(([from, to]) => isIn(file, from) && isIn(target, to))) return undefined
  for (const [folder, levels] of Object.entries(floors)) {
    if (folder !== '' && !(isIn(file, folder) && isIn(target, folder))) continue
    const [home, other] = [roomOf(file, folder), roomOf(target, folder)]
    const [floor, below] = [home, other].map((room) => levels.findIndex((rooms) => rooms.includes(room)))
    if (home === other || floor === undefined || below === undefined || below < 0) continue
    if (floor <= below) return `${join(folder, home)} may not import from ${join(folder, other)}`
  }
  return undefined
}

const imported = /(?:from|import)\s*\(?\s*'([^']+)'/g

/** What of a file's imports is not allowed; those of packages are left out. */
function problemsIn(file: string): string[] {
  const specifiers = [...readFileSync(file, 'utf8').matchAll(imported)].map(([, one = '']) => one)
  const targets = specifiers.flatMap((one) =>
    one.startsWith('#') ? one.slice(1) : one.startsWith('.') ? join(dirname(file), one) : [],
  )
  return targets.flatMap((target) => {
    const problem = problemOf(file, target)
    return problem ? [`${file} imports ${target}: ${problem}`] : []
  })
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.includes('/testing/')
const files = globSync(`{${floors['']?.flat().join(',')}}/**/*.{ts,tsx}`)
const problems = files.filter((file) => !isTest(file)).flatMap(problemsIn)

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
