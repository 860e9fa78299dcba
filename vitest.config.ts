import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

/** Longest a test or what prepares it may take, ms: it ends a hang, and is far above what a slow machine needs. */
const [testTimeout, hookTimeout] = [60_000, 60_000]

/** Tests above the base of the pyramid, by what makes them slow. Everything else is `unit`. */
const slow = {
  /** The suite and the client rules, tried on many mocks. */
  proof: [
    'contract-tests/conformance.test.ts',
    'contract-tests/runner/planned-credits.test.ts',
    'contract-tests/runner/side-effects.test.ts',
    'mocks/control/replay.test.ts',
    'mocks/quirks/legality.test.ts',
    'proof/bad-clients/careless-clients.test.ts',
    'proof/bad-clients/clients.test.ts',
    'proof/curl-lines.test.ts',
    'proof/history-defects.test.ts',
    'proof/matrix.test.ts',
    'proof/one-effect.test.ts',
    'proof/rebuilt.test.ts',
    'proof/recordings.test.ts',
    'proof/rewording.test.ts',
    'proof/set-up-faults.test.ts',
  ],
  /** Commands, packages and documents, run as child processes. */
  process: [
    'cli/{mock,check,fleet,proxy,verify}/**/*.test.ts',
    'cli/main.test.ts',
    'contract-tests/vitest/*.test.ts',
    'examples/*.test.ts',
    'scripts/{abuse,docs,http-clients,package,world}/!(*.browser).test.ts',
  ],
  /** Pages in a real browser. */
  browser: ['{contract-tests,mocks,page,reporting,scripts}/**/*.browser.test.ts'],
  /** msw, which replaces the globals of its process. */
  msw: ['mocks/edges/{msw,every-connection-fault}.test.ts'],
}

/**
 * Node imports the sources itself, as it does for the command: without Vite between, which translates every module for
 * every project and makes each use of an import a look-up, tests take a sixth less.
 */
const experimental = { viteModuleRunner: false }

/** A larger young generation: tests make much that is soon garbage, and collecting it took a sixth of their time. */
const execArgv = ['--max-semi-space-size=64']

/** What is prepared once for all test files of a project. */
const globalSetup: Record<string, string[]> = { process: ['scripts/package/testing/dist.ts'] }

export default defineConfig({
  test: {
    // One more worker than cores, since many tests wait for a process or a browser.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: 'unit',
          testTimeout,
          hookTimeout,
          execArgv,
          experimental,
          // One process for many files: each imports the same modules, and none changes a global.
          isolate: false,
          include: ['**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'examples/*/**', ...Object.values(slow).flat()],
        },
      },
      ...Object.entries(slow).map(([name, include]) => ({
        test: {
          name,
          testTimeout,
          hookTimeout,
          execArgv,
          experimental,
          include,
          isolate: name === 'msw',
          expect: { poll: { timeout: 15_000 } },
          globalSetup: globalSetup[name] ?? [],
        },
      })),
    ],
  },
})
