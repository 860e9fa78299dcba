/** Two workers, each with its own mock; no server to start, and no network. */
import { defineConfig, devices } from '@playwright/test'

/** A browser of the system in place of the one that `npx playwright install chromium` brings. */
const executablePath = process.env.CHROMIUM_PATH

export default defineConfig({
  testIgnore: 'web-server/**',
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  // No test waits for more than a second or two; these matter where the machine is slow.
  timeout: 60_000,
  expect: { timeout: 30_000 },
  use: { ...devices['Desktop Chrome'], ...(executablePath && { launchOptions: { executablePath } }) },
})
