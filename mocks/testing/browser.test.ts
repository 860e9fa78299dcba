/** Where there is no browser, its tests are skipped and say why. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('without a Chromium, the tests of a file are one skipped test that names the missing path', () => {
  const vitest = 'node_modules/vitest/vitest.mjs'
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      vitest,
      'run',
      '--project=browser',
      '--maxWorkers=1',
      '--reporter=verbose',
      'reporting/render/html.browser.test.ts',
    ],
    { env: { ...process.env, CHROMIUM_PATH: '/nowhere/chromium', NO_COLOR: '1' }, encoding: 'utf8' },
  )
  expect(status).toBe(0)
  expect(stdout).toMatch(
    /↓.*the HTML report in a browser.*\[no Chromium at \/nowhere\/chromium; set CHROMIUM_PATH/,
  )
  expect(stdout).toMatch(/Tests\s+1 skipped \(1\)/)
})
