/** An error of the program itself is one line, which shows no secret. */
import { expect, test } from 'vitest'
import { runInProcess } from './testing/in-process.ts'

/** An environment that holds a key, and that fails once, with a text that shows what the call was given. */
function failing(message: string): NodeJS.ProcessEnv {
  let isFirst = true
  return Object.defineProperty(
    { WORK_AGENT_VERIFY_OTHER_API_KEY: 'other-s3cret' },
    'WORK_AGENT_VERIFY_CONFIG',
    {
      enumerable: true,
      get() {
        if (!isFirst) return undefined
        isFirst = false
        throw new TypeError(message)
      },
    },
  )
}

test.each([
  ['--api-key', 'first-s3cret'],
  ['--api-key=first-s3cret'],
])('a call with %s shows none of its secrets', async (...option) => {
  const env = failing('unexpected token: first-s3cret, other-s3cret,\n"password": "p", wak_test_ada')
  const { code, out, err } = await runInProcess(['verify', 'http://127.0.0.1:1', ...option], env)
  expect([code, out]).toEqual([3, ''])
  expect(err).toMatch(
    /^verify: error in work-agent-contract itself: unexpected token: \[redacted\], \[redacted\],\S*"password": "\[redacted\]", \[redacted\], at .*; please report it\n$/,
  )
})
