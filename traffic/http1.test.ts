/** Messages as they pass in pieces of any size. */
import { expect, test } from 'vitest'
import { createHttpMessageParser } from './http1.ts'

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

/** Messages on one side of a connection, each as its first line and its body, and the unfinished rest. */
function messagesIn(text: string, size: number, kind: 'requests' | 'answers' = 'answers') {
  const found: string[] = []
  let current = ''
  const messages = createHttpMessageParser(
    {
      head({ start }, bytes) {
        const behind = start.includes(' 100 ') ? 'head' : start.includes(' 204 ') ? 'nothing' : 'body'
        if (behind !== 'head') current = `${start}: `
        return { behind, bytes }
      },
      body(part) {
        current += part.toString('latin1')
      },
      end() {
        found.push(current)
        current = ''
      },
    },
    kind,
  )
  const all = Buffer.from(text, 'latin1')
  let passed = ''
  for (let at = 0; at < all.length; at += size)
    passed += Buffer.concat(messages.feed(all.subarray(at, at + size))).toString('latin1')
  const held = messages.unfollow().toString('latin1')
  return { found, open: current, isWhole: passed + held === text }
}

test.each([1, 2, 3, 7, 64, 10_000])('messages in pieces of %d bytes', (size) => {
  const text = [
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-LENGTH: 5\r\n\r\nhello',
    `${chunked}3;name=value\r\na\r\n\r\n02\r\nbc\r\n0\r\nTrailer: x\r\n\r\n`,
    'HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nX: \r\n\r\nuntil the end\r\n\r\n',
  ].join('')
  expect(messagesIn(text, size)).toEqual({
    found: [
      'HTTP/1.1 200 OK: hello',
      'HTTP/1.1 200 OK: a\r\nbc',
      'HTTP/1.1 204 No Content: ',
      'HTTP/1.1 200 OK: ',
    ],
    open: 'HTTP/1.1 200 OK: until the end\r\n\r\n',
    isWhole: true,
  })
})

test('requests without a length have no body', () => {
  const text = 'GET / HTTP/1.1\r\n\r\nPOST /a HTTP/1.1\r\nContent-Length: 1\r\n\r\n!GET /b HTTP/1.1\r\nHo'
  expect(messagesIn(text, 5, 'requests')).toEqual({
    found: ['GET / HTTP/1.1: ', 'POST /a HTTP/1.1: !'],
    open: '',
    isWhole: true,
  })
})

test.each([
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n'],
  ['a chunk without a size', `${chunked}\r\nabc\r\n`],
  ['a chunk longer than its size', `${chunked}1\r\nabc\r\n`],
  ['a folded header', 'HTTP/1.1 200 OK\r\nX: 1\r\n 2\r\n\r\n'],
  ['a space before the colon', 'HTTP/1.1 200 OK\r\nX : 1\r\n\r\n'],
  ['an endless head', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(15_000)}`],
  ['an endless line', `${chunked}${'1'.repeat(70_000)}`],
])('%s is not followed, and passes', (_, text) => {
  expect(messagesIn(`${text}HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n!`, 100)).toMatchObject({
    found: [],
    isWhole: true,
  })
})
