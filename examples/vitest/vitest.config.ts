/** Starts the mock of `global-setup.ts` before the first test. The time-out matters where the machine is slow. */
import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { globalSetup: './global-setup.ts', testTimeout: 60_000 } })
