/** Runs tests in a real browser; without one, they are skipped with a message. */
import type { Browser } from '@playwright/test'
import { inject, test } from 'vitest'
import { chromiumOptions, hasChromium } from './chromium.ts'

/** Connects to the browser of the run, or starts one where the project has none. */
export async function launch(): Promise<Browser> {
  const { chromium } = await import('@playwright/test')
  const address = inject('browser')
  return address ? chromium.connect(address) : chromium.launch(chromiumOptions)
}

/** Declares the tests of `what` if there is a browser, else one skipped test. */
export function inBrowser(what: string, declare: (executablePath: string) => void): void {
  const { executablePath } = chromiumOptions
  if (hasChromium) declare(executablePath)
  else
    test(`${what} in a browser`, ({ skip }) =>
      skip(`no Chromium at ${executablePath}; set CHROMIUM_PATH to its path`))
}
