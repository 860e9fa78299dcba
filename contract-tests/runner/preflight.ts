/** Before a run: every input of the operator works, so that none of them is taken for a fault of the service. */
import { catalogue } from '../catalogue/index.ts'
import { reasonOf } from '../client/answer.ts'
import type { Target } from '../client/target.ts'
import { isProbe, type Requirement } from '../harness/requirement.ts'
import type { Need, Settings } from '../harness/terms.ts'
import { UnusableInput } from './preflight-input.ts'
import { Credentials, createAsk, proveBaseUrl } from './preflight-request.ts'
import { States } from './preflight-states.ts'
import { leftOut, unmetPrerequisite } from './selection.ts'

/** Why the service cannot be tested with these inputs, in one line; undefined: it can. Spends nothing. */
export async function preflight(
  target: Target,
  settings: Settings,
  requirements: readonly Requirement[] = catalogue,
): Promise<string | undefined> {
  try {
    await proveInputs(target, settings, needsOf(requirements, settings))
    return undefined
  } catch (error) {
    if (error instanceof UnusableInput) return error.message
    return `${target.baseUrl} did not answer a request before the run: ${reasonOf(error)}`
  }
}

async function proveInputs(target: Target, settings: Settings, needs: ReadonlySet<Need>): Promise<void> {
  const { apiKey, otherApiKey, sessionCookie, otherSessionCookie, readOnly } = settings
  const ask = createAsk(target, settings)
  await proveBaseUrl(ask, target.baseUrl, apiKey)
  const credentials = new Credentials(ask, target.baseUrl, settings)
  if (otherApiKey && needs.has('other_key')) await credentials.proveOtherKey(otherApiKey)
  if (sessionCookie && needs.has('session')) {
    await credentials.proveCookie('sessionCookie', sessionCookie)
    if (!readOnly) await credentials.proveOwner('sessionCookie', sessionCookie, apiKey, '--api-key')
    else if (otherApiKey)
      await credentials.proveListedOwner('sessionCookie', sessionCookie, apiKey, otherApiKey)
  }
  if (otherSessionCookie && needs.has('other_session')) {
    await credentials.proveCookie('otherSessionCookie', otherSessionCookie)
    if (!readOnly && otherApiKey)
      await credentials.proveOwner('otherSessionCookie', otherSessionCookie, otherApiKey, '--other-api-key')
  }
  if (!settings.statesUrl || readOnly || ![...needs].some((need) => need.startsWith('state:'))) return
  const org = await credentials.organization(apiKey)
  if (org !== undefined) await new States(ask, target, settings, org).prove(needs)
}

/** What the selected requirements need, as far as the settings supply it. */
function needsOf(requirements: readonly Requirement[], settings: Settings): Set<Need> {
  const probes = requirements.filter(isProbe).filter((probe) => {
    return leftOut(probe, settings) === undefined && unmetPrerequisite(settings, probe) === undefined
  })
  return new Set(probes.flatMap(({ needs }) => needs))
}
