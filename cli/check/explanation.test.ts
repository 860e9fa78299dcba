/** `check --explain` says what each rule and each effect demands. */
import { expect, test } from 'vitest'
import { demands } from '#client-tests/demands.ts'
import { check } from './testing/check.ts'

test('without a name every rule and every effect is explained, with its thresholds and its fix', async () => {
  const { status, stdout } = await check('--explain')
  expect(status).toBe(0)
  for (const { id, level, section, statement, thresholds = '', fix } of demands) {
    const [, own = ''] = stdout.split(`${level} ${id} (${section})\n`)
    for (const text of [statement, thresholds, fix]) expect(own.split('\n\n')[0]).toContain(text)
  }
})

test('several rules can be named, in any case', async () => {
  const { stdout } = await check('--explain', 'polls-sanely', 'PAYS-ONCE')
  expect(stdout.match(/^\w+ [\w-]+ \(/gm)).toEqual(['SHOULD polls-sanely (', 'MUST pays-once ('])
  expect(stdout).toContain('Thresholds   Too fast are 4 polls of a task in a row with less than 200 ms')
  expect(stdout).toMatch(/^ {2}Judged +under faults, beside a run without one$/m)
})

test('a name that is no rule is one line with the nearest, and exit 2', async () => {
  expect(await check('--explain', 'polls-sanly')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'check: --explain: no rule "polls-sanly"; did you mean "polls-sanely"?\n',
  })
})
