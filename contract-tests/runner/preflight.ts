/** Before a run: the service answers and accepts the key. */
import { identified } from '../client/identified.ts'
import { reasonOf } from '../client/reason.ts'
import type { Target } from '../client/target.ts'
import { bearer } from '../harness/context.ts'
import type { Settings } from '../harness/settings.ts'

/** Why the service cannot be tested, in one line; undefined: it can. */
export async function preflight(target: Target, settings: Settings): Promise<string | undefined> {
  const { apiKey, userAgent, runId = 'verify', timeout } = settings
  let requests = 0
  const { transport } = identified(target, userAgent, () => `${runId}-preflight-${++requests}`)
  const request = async (path: string) => {
    const headers = { accept: 'application/json', ...bearer(apiKey) }
    const signal = AbortSignal.timeout(timeout)
    const response = await transport(target.baseUrl + path, { method: 'GET', headers, signal })
    await response.arrayBuffer()
    return response.status
  }
  try {
    if ((await request('/api/cli/whoami')) !== 401) return undefined
    if ((await request('/api/cli/tasks')) !== 401) return undefined
    return `${target.baseUrl} refuses the API key (401 on whoami and on tasks)`
  } catch (error) {
    return `${target.baseUrl} does not answer: ${reasonOf(error)}`
  }
}
