/** Starts the mock of `global-setup.ts` before the first test. */
import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { globalSetup: './global-setup.ts' } })
