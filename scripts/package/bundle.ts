/**
 * Bundles what is published (`npm run build`): the modules to import, the command with the licences of its contents,
 * and the page, which both share.
 */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build, type InlineConfig } from 'tsdown'
import { openapiText } from '#cli/openapi/main.ts'
import { reportSchemaText } from '#contract-tests/report/report.ts'
import { type BuiltPage, buildPage } from '#page/build.ts'

/** A plugin for rolldown and tsdown, as far as this module needs one. */
interface LoadPlugin {
  readonly name: string
  load(id: string): string | undefined
}

/**
 * A bundler plugin that drops two imports of Commander: no subprograms are started here, and importing `node:process`
 * would first list all flags of Node.
 */
export const slimCommanderPlugin: LoadPlugin = {
  name: 'quick-commander',
  load(id) {
    if (!/[\\/]commander[\\/]lib[\\/]command\.js$/.test(id)) return undefined
    return [/^import childProcess from .*$/m, /^import process from .*$/m].reduce(
      (code, line) => {
        if (!line.test(code)) throw new Error(`${id} has no line like ${line}`)
        return code.replace(line, '')
      },
      readFileSync(id, 'utf8'),
    )
  },
}

const source = /[\\/]mocks[\\/]edges[\\/]page[\\/]source\.ts$/

/** The file with the page, which a package has once, beside the folders of its modules. */
const file = 'page.js'

/** Creates a bundler plugin that puts the built page into the module that otherwise builds it. */
export const createEmbeddedPagePlugin = (page: BuiltPage) => replaced(`(${textOf(page)})[part]`)

/** Builds the page into a folder; returns the paths of the modules in it. */
async function writePage(folder: string): Promise<readonly string[]> {
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

const textOf = ({ html, script, style }: BuiltPage) => JSON.stringify({ html, script, style })

/** Plugin by which modules load the page from the file that `writePage` writes, in the folder above theirs. */
const pageInFile = replaced(`(await import(new URL('../${file}', import.meta.url).href)).default[part]`)

/** The source file of each published module, by the name of its output, as `tsconfig.build.json` lists them. */
export const packageEntrySources = {
  index: 'mocks/index.ts',
  contract: 'contract/index.ts',
  msw: 'mocks/msw.ts',
  fixtures: 'fixtures/index.ts',
  vitest: 'contract-tests/vitest/entry.ts',
}

const shared: InlineConfig = {
  config: false,
  tsconfig: 'tsconfig.build.json',
  platform: 'node',
  target: false,
  fixedExtension: false,
  logLevel: 'error',
  checks: { pluginTimings: false },
}

/** Bundles the modules without their dependencies, so that a project has one zod and one Hono. */
async function bundleEntries(outDir: string, { declarations = false } = {}): Promise<void> {
  const outputOptions = { chunkFileNames: 'chunks/[name]-[hash].js', comments: { jsdoc: false } }
  // Names of functions stay for stack traces, and line breaks because Node prints the line that throws.
  const minify = { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: false } }
  const plugins = [pageInFile]
  await build({
    ...shared,
    entry: packageEntrySources,
    outDir,
    dts: declarations,
    minify,
    outputOptions,
    plugins,
  })
  if (declarations) ignoreMissingMsw(join(outDir, 'index.d.ts'))
}

/** Makes the main entry compile without msw, an optional peer, whose types are `any` then. */
function ignoreMissingMsw(file: string): void {
  const line = /^import .* from "msw";$/m
  const text = readFileSync(file, 'utf8')
  if (!line.test(text)) throw new Error(`${file} imports no types of msw`)
  writeFileSync(file, text.replace(line, '// @ts-ignore: msw is an optional peer\n$&'))
}

/**
 * Bundles the command with the parts of its dependencies that it uses, to start faster (docs/decisions/0002). `ofPage`:
 * paths of the modules in the page.
 */
async function bundleCommand(outDir: string, ofPage: readonly string[] = []): Promise<void> {
  const neverBundle = [/^undici($|\/)/, /^msw($|\/)/, /^vitest($|\/)/]
  const deps = { alwaysBundle: [/./], neverBundle, onlyBundle: false as const }
  const bundles = await build({
    ...shared,
    entry: { cli: 'cli/main.ts' },
    outDir,
    dts: false,
    minify: true,
    deps,
    plugins: [pageInFile, slimCommanderPlugin],
  })
  const chunks = bundles.flatMap((bundle) => bundle.chunks)
  const modules = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  writeFileSync(join(outDir, 'NOTICES.txt'), licenceNoticesOf([...modules, ...ofPage]))
}

/**
 * Collects the licence notices of the packages that these modules belong to. @throws Error for a package without a
 * licence.
 */
export function licenceNoticesOf(modules: readonly string[]): string {
  const packages = new Set(
    modules.flatMap((module) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module) ?? []),
  )
  const notices = [...packages].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
    if (file === undefined) throw new Error(`${name} has no licence file`)
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return ['The command contains code of these packages.\n', ...notices].join(`\n${'-'.repeat(72)}\n\n`)
}

/**
 * Builds the published files into a folder. `declarations`: whether to write the types, which takes most of the time.
 */
export async function writeDist(out: string, { declarations }: { declarations: boolean }): Promise<void> {
  await bundleEntries(out, { declarations })
  await bundleCommand(join(out, 'cli'), await writePage(out))
  copyFileSync('cli/bin.js', join(out, 'bin.js'))
  writeFileSync(join(out, 'openapi.json'), openapiText('both'))
  writeFileSync(join(out, 'report.schema.json'), reportSchemaText())
}

/** Called as a program: builds into `dist` or the given folder; `--no-declarations` leaves out the types. */
if (import.meta.main) {
  const { positionals, values } = parseArgs({
    options: { declarations: { type: 'boolean', default: true } },
    allowNegative: true,
    allowPositionals: true,
  })
  await writeDist(positionals[0] ?? 'dist', values)
}
