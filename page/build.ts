/** Builds the page in memory: one script, one style sheet and the HTML that names them. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built page: its HTML, script and style sheet as texts, and the paths of the modules in the script. */
export interface BuiltPage {
  readonly html: string
  readonly script: string
  readonly style: string
  /** The paths of the modules in the script, for the licence notices of its contents. */
  readonly modules: readonly string[]
}

const folder = dirname(fileURLToPath(import.meta.url))

/** The command that starts the mock: in a clone, and where the package is installed. */
const [inClone, installed] = ['npm start --', 'npx --no-install work-agent-contract mock']

/** Builds the whole page from its sources. Needs the development dependencies of a clone. */
export async function buildPage(): Promise<BuiltPage> {
  return { html: htmlOf(), style: await buildStyle(), ...(await bundleScript(installed)) }
}

/**
 * Builds one part of the page alone: its HTML, script or style sheet. @throws Error without the development
 * dependencies.
 */
export async function buildPagePart(part: 'html' | 'style' | 'script'): Promise<string> {
  if (part === 'script') return (await buildScript()).script
  // Without a bundler, the script cannot be built either.
  import.meta.resolve('rolldown')
  return part === 'html' ? htmlOf() : buildStyle()
}

const htmlOf = () => readFileSync(join(folder, 'index.html'), 'utf8')

type Script = Pick<BuiltPage, 'script' | 'modules'>

let built: Promise<Script> | undefined

/** Builds the script once for all mocks of the process. */
const buildScript = (): Promise<Script> => {
  built ??= bundleScript(inClone)
  return built
}

/** `start`: the command that starts the mock, as the lines to copy on the page begin. */
async function bundleScript(start: string): Promise<Script> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: join(folder, 'main.tsx'),
    // Takes the newest JavaScript that a package offers: the one for older browsers is larger.
    platform: 'neutral',
    resolve: { conditionNames: ['import'] },
    tsconfig: join(folder, '..', 'tsconfig.json'),
    treeshake: { moduleSideEffects: (id) => id.startsWith(folder) },
    transform: {
      define: { START: JSON.stringify(start) },
      // Smaller than the automatic runtime by half a kilobyte.
      jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
      inject: { h: [join(folder, 'draw.ts'), 'h'], Fragment: ['preact', 'Fragment'] },
    },
  })
  const { output } = await bundle.generate({
    // The page has no other script with which these names could clash, so that they can be short.
    format: 'iife',
    minify: true,
    comments: false,
  })
  await bundle.close()
  if (output.length > 1) throw new Error('The page must be one script.')
  const { code: script, moduleIds: modules } = output[0]
  return { script, modules }
}

/** The style sheets in the order of their names, as one. */
async function buildStyle(): Promise<string> {
  const { transform } = await import('lightningcss')
  const sheets = globSync('style/*.css', { cwd: folder }).sort()
  const code = Buffer.concat(sheets.map((sheet) => readFileSync(join(folder, sheet))))
  return transform({ filename: 'page.css', code, minify: true }).code.toString()
}
