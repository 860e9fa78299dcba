/** `openapi` prints the document, or writes it to a file. */
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFolder } from '../testing/folder.ts'
import { runHere } from '../testing/in-process.ts'
import { openapiText } from './main.ts'

test('it prints the document of a variant', async () => {
  const out = openapiText('second')
  expect(await runHere('openapi --variant second')).toEqual({ code: 0, out, err: '' })
})

test('--output writes the document to a file, and nothing else', async () => {
  const { folder, file, read } = testFolder()
  expect(await runHere(`openapi --output ${file('openapi.json')}`)).toEqual({ code: 0, out: '', err: '' })
  expect(read('openapi.json')).toBe(openapiText('both'))
  expect(readdirSync(folder)).toEqual(['openapi.json'])
})
