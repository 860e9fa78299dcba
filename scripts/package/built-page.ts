/** Puts the built page in the place of the module that builds it, so that what is published needs no bundler. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltPage, buildPage } from '#page/build.ts'

/** The part of a plugin of rolldown, and of tsdown, that this one uses. */
interface LoadPlugin {
  readonly name: string
  load(id: string): string | undefined
}

const source = /[\\/]mocks[\\/]edges[\\/]page[\\/]source\.ts$/

/** The page is once in a package, beside the folders of its modules. */
const file = 'page.js'

/** Returns a plugin by which modules load the file that `writePage` writes, in the folder above their own. */
export function pageInFile(): LoadPlugin {
  return replaced(`(await import(new URL('../${file}', import.meta.url).href)).default[part]`)
}

/** Returns a plugin that puts a page into the module itself. */
export function pageInModule(page: BuiltPage): LoadPlugin {
  return replaced(`(${textOf(page)})[part]`)
}

/** Builds the page into a folder; returns the paths of the modules in it. */
export async function writePage(folder: string): Promise<readonly string[]> {
  const page = await buildPage()
  writeFileSync(join(folder, file), `export default ${textOf(page)}\n`)
  return page.modules
}

function replaced(text: string): LoadPlugin {
  return {
    name: 'built-page',
    load: (id) => (source.test(id) ? `export const loadPart = async (part) => ${text}` : undefined),
  }
}

function textOf({ html, script, style }: BuiltPage): string {
  return JSON.stringify({ html, script, style })
}
