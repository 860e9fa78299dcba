/** Runs a bad client by its id: `node proof/bad-clients/main.ts retries-after-402`. */
import { referenceClientWithFlaw } from './bad-client.ts'
import { badClients } from './index.ts'

const { WORK_AGENT_BASE_URL: baseUrl, WORK_AGENT_API_KEY: apiKey } = process.env
const badClient = badClients.find(({ id }) => id === process.argv[2])

try {
  if (!badClient) throw new Error(`name one of: ${badClients.map(({ id }) => id).join(', ')}`)
  if (!baseUrl || !apiKey) throw new Error('set WORK_AGENT_BASE_URL and WORK_AGENT_API_KEY')
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const connection = { baseUrl, apiKey, fetch, sleep, say: console.log }
  await referenceClientWithFlaw(badClient.flaw, badClient.hidesErrors)(connection)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
