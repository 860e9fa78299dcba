/** withMock: a mock behind a listener for the length of a function. */
import { expect, test, vi } from 'vitest'
import { withMock } from './index.ts'

test('the function gets a listening mock with credentials, and its result is returned', async () => {
  let address = ''
  const credits = await withMock({ credits: 7 }, async ({ url, mock, apiKey, sessionCookie }) => {
    address = url
    const ask = (path: string, headers: HeadersInit) => fetch(`${url}/api/cli/${path}`, { headers })
    const { status } = await ask('keys', { cookie: sessionCookie })
    const answer = await ask('whoami', { authorization: `Bearer ${apiKey}` })
    expect([status, mock.journal.count()]).toEqual([200, 2])
    return (await answer.json()).credits
  })
  expect([credits, address]).toEqual([7, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)])
  await expect(fetch(address)).rejects.toThrow('fetch failed')
})

test('the listener is closed if the function fails', async () => {
  let address = ''
  const failing = withMock({}, ({ url }) => {
    address = url
    throw new Error('my test failed')
  })
  await expect(failing).rejects.toThrow('my test failed')
  await expect(fetch(address)).rejects.toThrow('fetch failed')
})

test('an internal error of the mock fails a test that would pass, and is logged without keys', async () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const passing = withMock({}, async ({ mock, url, apiKey }) => {
    mock.observe(() => {
      throw new Error('a bug with wak_test_demo')
    })
    await fetch(`${url}/api/cli/whoami`, { headers: { authorization: `Bearer ${apiKey}` } })
  })
  await expect(passing).rejects.toThrow('a bug')
  expect(silent).toHaveBeenCalledWith(expect.stringMatching(/a bug with \[redacted\]\n\s+at /))
  silent.mockRestore()
})

test('an invalid option is refused before anything listens', async () => {
  await expect(withMock({ credits: -1 }, () => 1)).rejects.toThrow('credits takes a number of credits')
})
