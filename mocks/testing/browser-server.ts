/** Starts one browser for all test files of a run, if there is one: each file connects to it. */
import type { TestProject } from 'vitest/node'
import { chromiumOptions, hasChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser listens; undefined: this project starts none, or there is none. */
    browser?: string
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!hasChromium) return undefined
  const { chromium } = await import('@playwright/test')
  const server = await chromium.launchServer({ ...chromiumOptions, host: '127.0.0.1' })
  project.provide('browser', server.wsEndpoint())
  return () => server.close()
}
