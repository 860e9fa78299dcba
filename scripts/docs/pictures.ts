/**
 * Makes the pictures of the README and of docs/page.md: the HTML reports of a real run of `verify` and of `check`, and
 * the page, in both colour schemes. Run by `npm run generate pictures`. It needs a Chromium at `/usr/bin/chromium` or at `CHROMIUM_PATH`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from '@playwright/test'
import { listen } from '#mocks/edges/http.ts'
import { chromiumOptions } from '#mocks/testing/chromium.ts'
import { defects } from '#proof/defects/index.ts'
import { createMutated } from '#proof/mutations/mutation.ts'
import { photographPage } from './page-pictures.ts'

const pictures = 'docs/pictures'

/** Defects of the service that `verify` judges, by id: the picture shows what a violation looks like. */
const shown = ['limit-no-retry-after', 'credits-no-refund']

/** The client that `check` judges: it tries again after a 402. */
const client = ['node', 'proof/bad-clients/main.ts', 'retries-after-402']

/** Size of a picture, CSS pixels. */
const viewport = { width: 900, height: 540 }

const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
try {
  const reports = { 'conformance-report': await verify(), 'client-report': await check() }
  mkdirSync(pictures, { recursive: true })
  const browser = await chromium.launch(chromiumOptions)
  try {
    for (const [name, file] of Object.entries(reports)) await photograph(browser, file, name)
    for (const path of await photographPage(browser, pictures)) reportSize(path)
  } finally {
    await browser.close()
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** Judges a mock with the defects; returns the HTML report. */
async function verify(): Promise<string> {
  const chosen = defects.filter(({ id }) => shown.includes(id))
  const mock = createMutated(
    chosen.map((defect) => defect.mutate()),
    { runDuration: '50ms', rateLimit: 'off' },
  )
  const { url, close } = await listen(mock, { host: '127.0.0.1', port: 0 })
  const { apiKey, otherApiKey, sessionCookie, otherSessionCookie } = mock.credentials()
  try {
    return await report('verify', [
      url,
      `--api-key=${apiKey}`,
      `--other-api-key=${otherApiKey}`,
      `--session-cookie=${sessionCookie}`,
      `--other-session-cookie=${otherSessionCookie}`,
      `--states-url=${url}/__admin/states`,
      '--max-credits=20',
      '--run-timeout=3s',
    ])
  } finally {
    await close()
  }
}

/** Judges the client in a scenario; returns the HTML report. */
function check(): Promise<string> {
  return report('check', ['--scenario=out-of-credits'], ['--', ...client])
}

/** Runs a command that finds a violation; returns its HTML report. */
async function report(command: string, flags: readonly string[], rest: readonly string[] = []) {
  const file = join(folder, `${command}.html`)
  const argv = ['cli/main.ts', command, ...flags, '--quiet', `--report=html=${file}`, ...rest]
  const [code] = await once(
    spawn(process.execPath, argv, { stdio: ['ignore', 'inherit', 'inherit'] }),
    'exit',
  )
  if (code !== 1) throw new Error(`${command} exited with code ${code} instead of 1`)
  return file
}

/** Takes a screenshot of the top of a report in each colour scheme. */
async function photograph(browser: Browser, file: string, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport, deviceScaleFactor: 1.5 })
    await page.goto(pathToFileURL(resolve(file)).href)
    const path = `${pictures}/${name}-${colorScheme}.png`
    await page.screenshot({ path })
    await page.close()
    reportSize(path)
  }
}

function reportSize(path: string): void {
  console.log(`${path}: ${Math.ceil(statSync(path).size / 1e3)} kB`)
}
