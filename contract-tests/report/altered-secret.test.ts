/** A shell makes the altered secret of the variable that holds the real one. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { similarTo } from '../evidence/key-use.ts'
import { nameOfAltered } from './secrets.ts'

const value = 'wak_live_5tsjkpKABG7e9egnrs5np3j0n387tbpx'
const secret = { value, name: '$CREATED_KEY' }

test.each([
  ...similarTo(value),
  `x${value.slice(1)}`,
])('%s is an expression of the variable, and shows nothing of the secret', (altered) => {
  const name = nameOfAltered(altered, secret) ?? ''
  const env = { ...process.env, CREATED_KEY: value }
  expect(execFileSync('sh', ['-c', `printf %s "${name}"`], { env, encoding: 'utf8' })).toBe(altered)
  expect(name.replace(/CREATED_KEY|printf %s|tr A-Za-z a-zA-Z/g, '')).not.toMatch(/\w\w/)
})

test.each([
  ['another key', 'wak_live_9hprtmr71d112wm1ergc4w99305pg7ef'],
  ['half of it', value.slice(0, 20)],
  ['two more characters', `${value}ab`],
])('%s is none', (_, text) => {
  expect(nameOfAltered(text, secret)).toBeUndefined()
})
