/** Whether there is anything to judge: the service answers, and it takes the key. */
import { identified } from '../client/identified.ts'
import { reasonOf } from '../client/reason.ts'
import type { Target } from '../client/target.ts'
import { bearer } from '../harness/context.ts'
import type { Settings } from '../harness/settings.ts'

/** One line that says why nothing can be judged; undefined: go on. */
export async function preflight(target: Target, settings: Settings): Promise<string | undefined> {
  const { apiKey, userAgent, runId = 'verify', timeout } = settings
  let asked = 0
  const { transport } = identified(target, userAgent, () => `${runId}-preflight-${++asked}`)
  const ask = async (path: string) => {
    const headers = { accept: 'application/json', ...bearer(apiKey) }
    const signal = AbortSignal.timeout(timeout)
    const response = await transport(target.baseUrl + path, { method: 'GET', headers, signal })
    await response.arrayBuffer()
    return response.status
  }
  try {
    if ((await ask('/api/cli/whoami')) !== 401) return undefined
    if ((await ask('/api/cli/tasks')) !== 401) return undefined
    return `${target.baseUrl} refuses the API key (401 on whoami and on tasks)`
  } catch (error) {
    return `${target.baseUrl} does not answer: ${reasonOf(error)}`
  }
}
