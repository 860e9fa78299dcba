/** Runs tests in a real browser; without one, they are skipped with a message. */
import type { Browser } from '@playwright/test'
import { test } from 'vitest'
import { chromiumOptions, hasChromium } from './chromium.ts'

let started: Promise<Browser> | undefined

/** The browser of this process, started once for all of its test files; it ends with the process. */
export function sharedTestBrowser(): Promise<Browser> {
  started ??= import('@playwright/test').then(({ chromium }) => chromium.launch(chromiumOptions))
  return started
}

/** Declares the tests of `what` that need a browser; where none is installed, one skipped test instead. */
export function describeInBrowser(what: string, declare: (executablePath: string) => void): void {
  const { executablePath } = chromiumOptions
  if (hasChromium) declare(executablePath)
  else
    test(`${what} in a browser`, ({ skip }) =>
      skip(`no Chromium at ${executablePath}; set CHROMIUM_PATH to its path`))
}
