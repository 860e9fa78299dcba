/** The mock behind a real listener, in this process, with short runs. */
import { createMock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import type { MockOptions } from '#mocks/options.ts'
import type { Settings } from '../settings.ts'
import type { Target } from '../transport.ts'
import { httpTarget } from './http.ts'

/** A listener on a free port, and a target for it. */
export async function localHttp(options: MockOptions = {}): Promise<{
  target: Target
  access: Pick<Settings, 'apiKey' | 'otherApiKey' | 'sessionCookie' | 'statesUrl'>
}> {
  const mock = createMock({ credits: 40, rateLimit: 'off', runDuration: '30ms', ...options })
  const listener = await listen(mock, { host: '127.0.0.1', port: 0 })
  const { apiKey, otherApiKey, sessionCookie } = mock.credentials()
  const target = httpTarget(listener.url)
  return {
    access: { apiKey, otherApiKey, sessionCookie, statesUrl: `${listener.url}/__admin/states` },
    target: { ...target, close: () => target.close().then(() => listener.close()) },
  }
}
