/** The package entry for vitest: the suite as tests of a service. */

import type { Settings } from '../harness/settings.ts'
import { httpTarget } from '../targets/http.ts'
import { conformance as declare } from './conformance.ts'

/** The service to test, and what the suite may do to it. */
export type Service = { readonly baseUrl: string } & Pick<Settings, 'apiKey'> & Partial<Settings>

/**
 * Declares one test for each requirement of the suite. `service` may be a function, which is called before the
 * first test, for example to start the service.
 */
export function conformance(name: string, service: Service | (() => Service | Promise<Service>)): void {
  declare(name, async () => {
    const { baseUrl, ...settings } = typeof service === 'function' ? await service() : service
    return { target: httpTarget(baseUrl), settings }
  })
}
