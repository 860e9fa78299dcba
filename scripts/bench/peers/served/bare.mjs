/** The yardstick: what `node:http` does with the same routes, and nothing more. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [whoami, tasks] = ['whoami.json', 'tasks.json'].map((name) => JSON.parse(readFileSync(name, 'utf8')))
const kept = new Map(tasks.map((task) => [task.id, task]))

createServer((request, response) => {
  const answer = (status, value) => {
    const body = JSON.stringify(value)
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    })
    response.end(body)
  }
  if (!request.headers.authorization?.startsWith('Bearer ')) return answer(401, { error: 'unauthorized' })
  if (request.url === '/api/cli/whoami') return answer(200, whoami)
  if (request.method === 'GET') {
    const task = kept.get(request.url.slice('/api/cli/tasks/'.length))
    return task ? answer(200, { task, finished: false }) : answer(404, { error: 'not_found' })
  }
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { text } = JSON.parse(Buffer.concat(chunks).toString())
    const at = new Date().toISOString()
    const id = crypto.randomUUID()
    const task = { id, text, description: null, status: 'pending', created_at: at, updated_at: at }
    kept.set(id, task)
    answer(200, { task })
  })
}).listen(Number(process.argv.at(-1)), '127.0.0.1')
