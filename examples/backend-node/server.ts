/** Serves the API: node server.ts [--port 4600] [--run-ms 300] [--bug NAME] */
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { type Bug, bugs } from './bugs.ts'
import { createService } from './service.ts'

const text = (value: string) => ({ type: 'string', default: value }) as const
const { port, bug, ...options } = parseArgs({
  options: { port: text('4600'), 'run-ms': text('300'), bug: text('') },
}).values
if (bug !== '' && !(bug in bugs)) throw new RangeError(`There is no bug ${bug}, only: ${Object.keys(bugs)}`)

const fetch = createService(bug as Bug, Number(options['run-ms']))
serve({ fetch, port: Number(port), hostname: '127.0.0.1' }, (address) => {
  const url = `http://127.0.0.1:${address.port}`
  const credentials = { api_key: 'wak_acme_for_local_use', other_api_key: 'wak_globex_for_local_use' }
  const sessions = { session_cookie: 'session=was_acme_for_local_use' }
  const others = { other_session_cookie: 'session=was_globex_for_local_use' }
  const facts = { event: 'listening', url, states_url: `${url}/states` }
  console.log(JSON.stringify({ ...facts, ...credentials, ...sessions, ...others }))
})
