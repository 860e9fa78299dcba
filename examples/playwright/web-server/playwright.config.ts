/** Playwright starts the mock, waits until it answers, and stops it: one mock for all workers. */
import { defineConfig } from '@playwright/test'
import config from '../playwright.config.ts'

const port = process.env.WORK_AGENT_PORT ?? '4410'
const baseURL = `http://127.0.0.1:${port}`

export default defineConfig({
  ...config,
  testIgnore: [],
  use: { ...config.use, baseURL },
  webServer: {
    command: `${process.env.WORK_AGENT_COMMAND ?? 'npx --no-install work-agent-contract'} mock --port ${port} --log off`,
    url: `${baseURL}/__admin/health`,
  },
})
