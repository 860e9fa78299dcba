/** Entry for teams that live in vitest: the suite as tests of their own service. */

import type { Settings } from '../harness/settings.ts'
import { httpTarget } from '../targets/http.ts'
import { conformance as declare } from './conformance.ts'

/** The service to judge, and what the suite may do to it. */
export type Service = { readonly baseUrl: string } & Pick<Settings, 'apiKey'> & Partial<Settings>

/**
 * Declares one test for each requirement of the suite. The service may be told when its first test is about to
 * run, for those that start it then.
 */
export function conformance(name: string, service: Service | (() => Service | Promise<Service>)): void {
  declare(name, async () => {
    const { baseUrl, ...settings } = typeof service === 'function' ? await service() : service
    return { target: httpTarget(baseUrl), settings }
  })
}
