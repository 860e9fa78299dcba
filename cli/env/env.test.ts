/** `env`: what a shell evaluates. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runHere } from '../testing/in-process.ts'

/** The two variables, as a shell has them after `eval`. */
const evaluated = (lines: string) =>
  execFileSync(
    'sh',
    ['-c', 'eval "$0"; printf "%s\\n%s" "$WORK_AGENT_BASE_URL" "$WORK_AGENT_API_KEY"', lines],
    {
      encoding: 'utf8',
    },
  ).split('\n')

test.each([
  [[], ['http://127.0.0.1:4402', 'wak_test_demo']],
  [
    ['--port', '4500', '--key', 'ada'],
    ['http://127.0.0.1:4500', 'wak_test_ada'],
  ],
  [
    ['--key', 'wak_test_ada.fault=whoami=503,ok;rate=0.5'],
    [expect.any(String), 'wak_test_ada.fault=whoami=503,ok;rate=0.5'],
  ],
  [
    ['--key', "wak_test_$(id)`id`'x\\"],
    [expect.any(String), "wak_test_$(id)`id`'x\\"],
  ],
])('env %j is what a shell evaluates', async (argv, variables) => {
  const { code, out, err } = await runHere(['env', ...argv])
  expect([code, err]).toEqual([0, ''])
  expect(evaluated(out)).toEqual(variables)
})

test('options come from variables, too', async () => {
  const { out } = await runHere('env', { WORK_AGENT_ENV_PORT: '1', WORK_AGENT_ENV_KEY: 'grace' })
  expect(evaluated(out)).toEqual(['http://127.0.0.1:1', 'wak_test_grace'])
})
