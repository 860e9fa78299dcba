/** The page on HTTP clients names all of them, and each program does its work and is fixed as the page says. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runHere } from '#cli/testing/in-process.ts'
import { createMock } from '#mocks/index.ts'
import { sample } from '#mocks/testing/sample.ts'
import { clients, renderPage } from './page.ts'

test('the page has every client, with what fixes each rule that it breaks', () => {
  const page = readFileSync('docs/what-http-clients-get-wrong.md', 'utf8')
  for (const { name, program, usual, fixes } of clients)
    for (const text of [`## ${name}`, program[1], usual, ...Object.values(fixes)])
      expect(page).toContain(text)
})

test('a client that is not on the machine is named as that', () => {
  const [client] = clients
  if (!client) throw new Error('there are clients')
  expect(renderPage([{ client, version: undefined }])).toContain(
    '| axios | not run: this machine lacks the development packages (`npm ci`) |',
  )
})

test('a broken rule without a fix is an error', () => {
  const client = { ...clients[0], fixes: {} } as (typeof clients)[number]
  const mock = createMock()
  const report = mock.report({
    end: { ok: true },
    run: { canFinish: true, killedAfter: 1_000 },
    label: 'run',
  })
  const page = () => renderPage([{ client, version: '1', scenarios: { usual: report, fixed: report } }])
  expect(page).toThrow('axios breaks ends-in-time')
})

describe.each(sample(clients, 5))('$name', ({ version, needs, program }) => {
  test.concurrent.for([
    ['at its usual settings', [], 1],
    ['fixed', ['fixed'], 0],
  ] as const)('%s', async ([, args, exit], { expect, skip }) => {
    if (version() === undefined) skip(`this machine lacks ${needs}`)
    const check = ['check', '--scenario', 'lost-answer', '--', ...program, ...args]
    const { code, out, err } = await runHere(check, process.env)
    expect(code, err + out).toBe(exit)
  })
})
