/**
 * The yardstick: a `node:http` server that does the least that can be done. It reads the body of a request and
 * answers one JSON value, serialised for each request. Arguments: the port, the value as JSON. Plain JavaScript,
 * so that Node need not load what strips types.
 */
import { createServer } from 'node:http'

const [port, json = '{}'] = process.argv.slice(2)
const value = JSON.parse(json)

createServer((request, response) => {
  const answer = () => {
    const body = JSON.stringify(value)
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    })
    response.end(body)
  }
  if (request.method === 'GET') return answer()
  request.on('data', () => undefined)
  request.on('end', answer)
}).listen(Number(port), '127.0.0.1')
