/** Makes the declarations that tsc has written fit to be published. */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const imported = /(from |import\()(['"])([#.][^'"]*)\.ts\2/g

/** Declarations are read from where they lie: `#contract/route.ts` becomes `../contract/route.js`. */
export function withRelativeImports(folder: string): void {
  for (const file of globSync(`${folder}/**/*.d.ts`)) {
    const home = dirname(relative(folder, file))
    const text = readFileSync(file, 'utf8').replace(imported, (_, word, quote, target: string) => {
      const path = target.startsWith('#') ? relative(home, target.slice(1)) : target
      return `${word}${quote}${path.startsWith('.') ? path : `./${path}`}.js${quote}`
    })
    writeFileSync(file, text)
  }
}

/** An entry has to compile where msw, an optional peer, is missing: its types are then `any`. */
export function withoutNeedOfMsw(entry: string): void {
  const line = /^import type .* from 'msw';$/m
  const text = readFileSync(entry, 'utf8')
  if (!line.test(text)) throw new Error(`${entry} imports no types of msw`)
  writeFileSync(entry, text.replace(line, '// @ts-ignore: msw is an optional peer\n$&'))
}

/** Removes what no entry leads to: tsc declares each module that an entry runs, and types need far fewer. */
export function onlyWhatIsReached(folder: string, entries: readonly string[]): void {
  const reached = new Set(entries)
  for (const file of reached) {
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from |import\()['"](\.[^'"]*)\.js['"]/g,
    )) {
      reached.add(`${join(dirname(file), target)}.d.ts`)
    }
  }
  for (const file of globSync(`${folder}/**/*.d.ts`)) if (!reached.has(file)) rmSync(file)
}
