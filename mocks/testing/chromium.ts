/** The browser of tests and pictures: Debian's Chromium, or another one that `CHROMIUM_PATH` names. */
import { existsSync } from 'node:fs'

/** The last list of a command line counts, so that what Playwright disables is named again. */
const disabled = [
  // Each window would load these pages of the browser itself, which takes as long as a test.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  'AimEnabled',
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
