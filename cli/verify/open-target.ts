/** The service that is judged, and what there is to judge it with. */

import type { Target } from '#contract-tests/client/target.ts'
import type { Settings } from '#contract-tests/harness/settings.ts'
import type { VerifyOptions } from './options.ts'

/** Each kind of target is loaded when it is asked for: a remote judge needs no mock. */
export async function openTarget({
  baseUrl,
  settings,
}: VerifyOptions): Promise<{ target: Target; settings: Settings }> {
  if (baseUrl !== undefined) {
    const { httpTarget } = await import('#contract-tests/targets/http.ts')
    return { target: httpTarget(baseUrl), settings }
  }
  const { embeddedMock } = await import('#contract-tests/targets/in-process.ts')
  const variant = settings.variant === 'auto' ? 'first' : settings.variant
  const { target, access } = embeddedMock({ variant })
  return { target, settings: { ...settings, ...access } }
}
