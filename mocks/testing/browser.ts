/** Runs tests in a real browser; without one, they are skipped with a message. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from '@playwright/test'
import { test } from 'vitest'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the browser. */
export const launch = (): Promise<Browser> => chromium.launch({ executablePath, args })

/** Declares the tests of `what` if there is a browser, else one skipped test. */
export function inBrowser(what: string, declare: (executablePath: string) => void): void {
  if (existsSync(executablePath)) declare(executablePath)
  else
    test(`${what} in a browser`, ({ skip }) =>
      skip(`no Chromium at ${executablePath}; set CHROMIUM_PATH to its path`))
}
