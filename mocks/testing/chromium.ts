/** The browser of tests and pictures: Debian's Chromium, or another one that `CHROMIUM_PATH` names. */
import { existsSync } from 'node:fs'

/** Paths of the browser; the headless shell comes first, since it takes two thirds of the time. */
const paths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** Options to start Chromium for tests: its path, one process for all tabs, and no drawing. */
export const chromiumOptions = {
  executablePath: process.env.CHROMIUM_PATH ?? paths.find((path) => existsSync(path)) ?? paths.join(' or '),
  args: ['--no-sandbox', '--renderer-process-limit=1', '--in-process-gpu'],
}

/** True if there is a Chromium to test with; otherwise the tests of the page are skipped. */
export const hasChromium = existsSync(chromiumOptions.executablePath)
