/** A printed command works where this one was started; an error of the command itself says so. */
import { expect, test } from 'vitest'
import { invocationOf } from './invocation.ts'
import { runHere } from './testing/in-process.ts'

test.each([
  ['a script of a clone', '/clone/cli/main.ts', { npm_lifecycle_event: 'check' }, 'npm run check --'],
  ['its source', '/clone/cli/main.ts', {}, 'node cli/main.ts check'],
  ['its bundle', '/clone/dist/bin.js', {}, 'node dist/bin.js check'],
  ['npx', '/project/node_modules/.bin/work-agent-contract', {}, 'npx --no-install work-agent-contract check'],
  [
    'a script of a project',
    '/project/node_modules/work-agent-contract/dist/bin.js',
    { npm_lifecycle_event: 'check' },
    'npx --no-install work-agent-contract check',
  ],
  ['a command of the machine', '/usr/local/bin/work-agent-contract', {}, 'work-agent-contract check'],
])('%s', (_, file, env, start) => {
  const cwd = () => '/clone'
  expect(invocationOf('check', { argv: ['/usr/bin/node', file], env, cwd }).join(' ')).toBe(start)
})

/** An environment that holds a key, and whose file cannot even be named. */
const failing = (message: string) => ({
  WORK_AGENT_OTHER_API_KEY: 'other-s3cret',
  WORK_AGENT_CONFIG: {
    toString() {
      throw new TypeError(message)
    },
  } as never,
})

test.each([
  ['--api-key', 'first-s3cret'],
  ['--api-key=first-s3cret'],
])('a call with %s shows none of its secrets', async (...option) => {
  const env = failing('unexpected token: first-s3cret, other-s3cret,\n"password": "p", wak_test_ada')
  const { code, out, err } = await runHere(['verify', 'http://127.0.0.1:1', ...option], env)
  expect([code, out]).toEqual([3, ''])
  expect(err).toMatch(
    /^verify: error in work-agent-contract itself: unexpected token: \[redacted\], \[redacted\],\S*"password": "\[redacted\]", \[redacted\], at .*; please report it\n$/,
  )
})
