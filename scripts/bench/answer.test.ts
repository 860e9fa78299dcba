import { expect, test } from 'vitest'
import { readAnswer } from './answer.ts'

const whole = Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 3\r\n\r\n“HTTP/1.1 …')

test('an answer is read up to its announced length and no further', () => {
  expect(readAnswer(whole)).toEqual({ status: 201, body: '“', length: 46 })
})

test('an answer that has not all come is waited for', () => {
  expect(readAnswer(whole.subarray(0, 20))).toBeUndefined()
  expect(readAnswer(whole.subarray(0, 45))).toBeUndefined()
})

test('an answer without a length is an error', () => {
  expect(() => readAnswer(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow('Content-Length')
})
