/** The browser of tests and pictures: Debian's Chromium, or another one that `CHROMIUM_PATH` names. */
import { existsSync } from 'node:fs'

/** The last list of a command line counts, so that what Playwright disables is named again. */
const disabled = [
  // Each window would load these pages of the browser itself, which takes as long as a test.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  'AimEnabled',
  'SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** Its path, and how it is started. */
export const chromiumOptions = {
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    // One process for all tabs of the tests, which are mostly started and ended otherwise.
    '--renderer-process-limit=1',
    '--in-process-gpu',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${disabled.join(',')}`,
  ],
}

export const hasChromium = existsSync(chromiumOptions.executablePath)
