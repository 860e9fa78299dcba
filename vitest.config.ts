import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{contract,markup,mocks,fixtures,scripts,contract-tests}/**/*.test.ts',
            'examples/*.test.ts',
          ],
          exclude: ['contract-tests/conformance.test.ts'],
        },
      },
      { test: { name: 'contract', include: ['contract-tests/conformance.test.ts'] } },
    ],
  },
})
