/** What is a key: in whatever field it comes, and in no other case. */
import { expect, test } from 'vitest'
import { idsOf, reportOf, runOnMock } from '../testing/run.ts'
import { similarTo, swapCase } from './key-use.ts'

test('a key in the other case is no key, unless it is a UUID', () => {
  const [key, uuid] = ['wak_live_3f5A', '6fa459ea-ee8a-3ca4-894e-db77e160355e']
  expect(similarTo(key)).toContain(swapCase(key))
  expect(similarTo(uuid)).not.toContain(swapCase(uuid))
})

test('a key works whose bearer token is a field of key beside a secret of another purpose', async () => {
  let count = 0
  const { run } = await runOnMock(
    { only: ['KEY-WORKS', 'KEY-NAMESAKE'] },
    {
      between: async ({ path, method }, next) => {
        const response = await next()
        if (method !== 'POST' || !path.endsWith('/api/cli/keys') || !response.ok) return response
        const { key, secret } = (await response.json()) as { key: object; secret: string }
        const other = `signing-secret-${String(++count).padStart(8, '0')}`
        return Response.json({ key: { ...key, token: secret }, secret: other })
      },
    },
  )
  expect(idsOf(run, 'passed')).toEqual(['KEY-WORKS', 'KEY-NAMESAKE'])
})

test('without a session the key of the operator is altered, which no report shows', async () => {
  const given = { only: ['KEY-WHOLE'], sessionCookie: undefined, otherSessionCookie: undefined }
  const key = 'wak_test_demo'
  const { run, access } = await runOnMock(given, {
    between: ({ headers }, next) => {
      const isLike = headers.authorization?.startsWith(`Bearer ${key.slice(0, -1)}`)
      return next(isLike ? { authorization: `Bearer ${key}` } : {})
    },
  })
  expect([access.apiKey, idsOf(run, 'failed')]).toEqual([key, ['KEY-WHOLE']])
  expect(JSON.stringify(reportOf(run, run.secrets))).not.toContain(key.slice(0, -1))
})
