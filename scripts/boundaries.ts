/**
 * Checks that imports run downward through the layers in the diagrams of docs/architecture.md: between top-level
 * folders, and between the folders inside `mocks` and `contract-tests`. Prints violations and exits with code 1. Biome
 * finds import cycles.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const diagrams = readFileSync(join(import.meta.dirname, '../docs/architecture.md'), 'utf8')
const layerLines = /^## Layers|^### Inside `(.+)\/`|^ {2}(\S.* --> .*)$/gm

/**
 * The layers inside each folder, from the lowest up, as its diagram shows them: a layer may import from all those below
 * it.
 */
export const layersByFolder: Record<string, string[][]> = {}
let inside = ''
for (const [, folder = '', chain] of diagrams.matchAll(layerLines))
  if (chain === undefined) inside = folder
  else
    layersByFolder[inside] = chain
      .split(' --> ')
      .map((layer) => layer.split(' & ').map((name) => name.replace('app["app.ts"]', '.')))
      .reverse()

/** Allowed exceptions, a dotted arrow each: a folder, and what it may import from. */
const allowedExceptions = [...diagrams.matchAll(/^ {2}(\S+) -\. "([^"]+)" \.-> (\S+)$/gm)].flatMap(
  ([, folder = '', names = '', to = '']) =>
    names.split(', ').map((name) => [join(folder, name), to] as const),
)

const isIn = (path: string, folder: string) => path.startsWith(`${folder}/`)

/** The subfolder of a file inside a folder (`''`: the repository); `.` for a file of the folder itself. */
function subfolderOf(path: string, folder: string): string {
  const [subfolder = '', ...rest] = path.slice(folder === '' ? 0 : folder.length + 1).split('/')
  return rest.length > 0 ? subfolder : '.'
}

/** Reason why a file may not import another, if so. */
function problemOf(file: string, target: string): string | undefined {
  if (allowedExceptions.some(([from, to]) => isIn(file, from) && isIn(target, to))) return undefined
  for (const [folder, layers] of Object.entries(layersByFolder)) {
    if (folder !== '' && !(isIn(file, folder) && isIn(target, folder))) continue
    const [importer, imported] = [subfolderOf(file, folder), subfolderOf(target, folder)]
    const [own, other] = [importer, imported].map((name) => layers.findIndex((names) => names.includes(name)))
    if (importer === imported || own === undefined || other === undefined || other < 0) continue
    if (own <= other) return `${join(folder, importer)} may not import from ${join(folder, imported)}`
  }
  return undefined
}

const importSpecifier = /(?:from|import)\s*\(?\s*'([^']+)'/g

/** Files that a file imports, without packages. */
function targetsOf(file: string): string[] {
  const specifiers = [...readFileSync(file, 'utf8').matchAll(importSpecifier)].map(([, one = '']) => one)
  return specifiers.flatMap((one) =>
    one.startsWith('#') ? one.slice(1) : one.startsWith('.') ? join(dirname(file), one) : [],
  )
}

/** Imports of a file that are not allowed. */
function problemsIn(file: string): string[] {
  return targetsOf(file).flatMap((target) => {
    const problem = problemOf(file, target)
    return problem ? [`${file} imports ${target}: ${problem}`] : []
  })
}

const files = globSync(`{${layersByFolder['']?.flat().join(',')}}/**/*.{ts,tsx}`)
const problems = files.filter((file) => !/\.test\.tsx?$|\/testing\//.test(file)).flatMap(problemsIn)

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
