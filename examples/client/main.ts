/** The command: `node main.ts 'Say hello' 'Write a haiku'`. The environment says where, and with which key. */
import { createClient } from './client.ts'
import { work } from './work.ts'

const { WORK_AGENT_BASE_URL: baseUrl, WORK_AGENT_API_KEY: apiKey } = process.env
const texts = process.argv.slice(2)

try {
  if (!baseUrl || !apiKey) throw new Error('set WORK_AGENT_BASE_URL and WORK_AGENT_API_KEY')
  const client = createClient({ baseUrl, apiKey })
  if (!(await work(client, texts.length > 0 ? texts : ['Say hello'], console.log))) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
