/** Builds what is published: bundles of JavaScript, and declarations. Runs before `npm pack`. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import suite from '../package.json' with { type: 'json' }

const out = 'dist'

/** What can be imported or run, by the name of its file; `tsconfig.build.json` names the same. */
const entries = {
  index: 'mocks/index.ts',
  contract: 'contract/index.ts',
  msw: 'mocks/msw.ts',
  fixtures: 'fixtures/index.ts',
  vitest: 'contract-tests/vitest-entry.ts',
  cli: 'scripts/work-agent-contract.ts',
}

const installed = Object.keys({ ...suite.dependencies, ...suite.peerDependencies })

async function bundle(): Promise<void> {
  const build = await rolldown({
    input: entries,
    platform: 'node',
    external: (id) =>
      id.startsWith('node:') || installed.some((name) => id === name || id.startsWith(`${name}/`)),
  })
  await build.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
}

function declare(): void {
  const { status } = spawnSync('tsc', ['--project', 'tsconfig.build.json'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the declarations cannot be built')
  for (const file of globSync(`${out}/types/**/*.d.ts`)) writeFileSync(file, withRelativeImports(file))
}

/** Declarations are read from where they lie: `#contract/route.ts` becomes `../contract/route.js`. */
function withRelativeImports(file: string): string {
  const home = dirname(relative(`${out}/types`, file))
  return readFileSync(file, 'utf8').replace(
    /(from |import\()(['"])([#.][^'"]*)\.ts\2/g,
    (_, word, quote, target: string) => {
      const path = target.startsWith('#') ? relative(home, target.slice(1)) : target
      return `${word}${quote}${path.startsWith('.') ? path : `./${path}`}.js${quote}`
    },
  )
}

rmSync(out, { recursive: true, force: true })
await bundle()
declare()
writeFileSync(join(out, 'bin.js'), readFileSync('scripts/bin.js', 'utf8'))
