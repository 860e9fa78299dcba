import { defineConfig } from 'vitest/config'

/** Longest a test may take, ms: for what hangs, not for a slow day. */
const testTimeout = 60_000

export default defineConfig({
  test: {
    // Every core: by default one is left idle, which is half of a small machine.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          testTimeout,
          include: [
            '{contract,traffic,reporting,mocks,client-tests,contract-tests,proof,fixtures,cli,scripts}/**/*.test.ts',
            'examples/*.test.ts',
          ],
          exclude: ['contract-tests/conformance.test.ts'],
        },
      },
      { test: { name: 'contract', testTimeout, include: ['contract-tests/conformance.test.ts'] } },
    ],
  },
})
