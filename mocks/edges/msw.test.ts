/** The handlers in msw 3. */
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import { createMock } from '../index.ts'
import { mswFacts } from '../testing/msw-facts.ts'

mswFacts('msw 3', { http, setupServer })

test('mock.handlers() returns them', async () => {
  const handlers = createMock({ credits: 7 }).handlers('https://api.example')
  const server = setupServer(...handlers)
  server.listen()
  const headers = { authorization: 'Bearer wak_test_a' }
  const answer = await fetch('https://api.example/api/cli/whoami', { headers })
  server.close()
  expect(await answer.json()).toMatchObject({ credits: 7 })
})
