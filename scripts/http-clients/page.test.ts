/** The page on HTTP clients names all of them, and each program does its work and is fixed as the page says. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runHere } from '#cli/testing/in-process.ts'
import { sample } from '#mocks/testing/sample.ts'
import { clients } from './page.ts'

test('the page has every client, with what fixes each rule that it breaks', () => {
  const page = readFileSync('docs/what-http-clients-get-wrong.md', 'utf8')
  for (const { name, program, usual, fixes } of clients)
    for (const text of [`## ${name}`, program[1], usual, ...Object.values(fixes)])
      expect(page).toContain(text)
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
