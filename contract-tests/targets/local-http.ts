/** The mock behind a real listener, in this process, with short runs. */
import { createMock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import type { Target } from '../client/target.ts'
import type { Access } from '../harness/terms.ts'
import { httpTarget } from './http.ts'

/** A listener on a free port, and a target for it. */
export async function localHttp(options: MockOptions = {}): Promise<{
  target: Target
  access: Access
}> {
  const mock = createMock({ credits: 40, rateLimit: 'off', runDuration: '30ms', ...options })
  const listener = await listen(mock, { host: '127.0.0.1', port: 0 })
  const credentials = mock.credentials()
  const target = httpTarget(listener.url)
  return {
    access: { ...credentials, statesUrl: `${listener.url}/__admin/states` },
    target: { ...target, close: () => target.close().then(() => listener.close()) },
  }
}
