/**
 * Checks the walls of the repository, as the diagrams of docs/architecture.md show them: imports run downward only,
 * between folders and between the rooms inside `mocks` and `contract-tests`. Prints what does not, and exits with code
 * 1. Biome finds circles.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const map = readFileSync(join(import.meta.dirname, '../docs/architecture.md'), 'utf8')
const drawn = /^## Rooms|^### Inside `(.+)\/`|^ {2}(\S.* --> .*)$/gm

/** Rooms of a folder from the lowest floor up, as its diagram shows them: a room may import from every floor below its own. */
export const floors: Record<string, string[][]> = {}
let inside = ''
for (const [, folder = '', chain] of map.matchAll(drawn))
  if (chain === undefined) inside = folder
  else
    floors[inside] = chain
      .split(' --> ')
      .map((floor) => floor.split(' & ').map((room) => room.replace('app["app.ts"]', '.')))
      .reverse()

/** Imports between rooms of one floor that are allowed, a dotted arrow each: a room, and what it may import from. */
const doors = [...map.matchAll(/^ {2}(\S+) -\. "([^"]+)" \.-> (\S+)$/gm)].flatMap(
  ([, folder = '', rooms = '', to = '']) =>
    rooms.split(', ').map((room) => [join(folder, room), to] as const),
)

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

/** The files that a file imports; packages are left out. */
function targetsOf(file: string): string[] {
  const specifiers = [...readFileSync(file, 'utf8').matchAll(imported)].map(([, one = '']) => one)
  return specifiers.flatMap((one) =>
    one.startsWith('#') ? one.slice(1) : one.startsWith('.') ? join(dirname(file), one) : [],
  )
}

/** What of a file's imports is not allowed. */
function problemsIn(file: string): string[] {
  return targetsOf(file).flatMap((target) => {
    const problem = problemOf(file, target)
    return problem ? [`${file} imports ${target}: ${problem}`] : []
  })
}

const files = globSync(`{${floors['']?.flat().join(',')}}/**/*.{ts,tsx}`)
const problems = files.filter((file) => !/\.test\.tsx?$|\/testing\//.test(file)).flatMap(problemsIn)

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
