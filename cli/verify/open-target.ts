/** The service under test, and the settings for it. */

import type { Target } from '#contract-tests/client/target.ts'
import type { Settings } from '#contract-tests/harness/terms.ts'
import type { VerifyOptions } from './options.ts'

/** Loads only the kind of target that is needed: a remote service needs no mock. */
export async function openTarget({
  baseUrl,
  trust,
  settings,
}: VerifyOptions): Promise<{ target: Target; settings: Settings }> {
  if (baseUrl !== undefined) {
    const { httpTarget } = await import('#contract-tests/targets/http.ts')
    return { target: httpTarget(baseUrl, trust), settings }
  }
  const { embeddedMock } = await import('#contract-tests/targets/in-process.ts')
  const variant = settings.variant === 'auto' ? 'first' : settings.variant
  const { target, access } = embeddedMock({ variant })
  return { target, settings: { ...settings, ...access } }
}
