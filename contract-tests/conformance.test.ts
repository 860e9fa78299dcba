/**
 * The catalogue through vitest: against a mock over HTTP and one through msw (proof/matrix.test.ts has those in
 * process), or against WORK_AGENT_BASE_URL alone where that is set (with WORK_AGENT_API_KEY and the other variables
 * of `verify`).
 */
import { readCommandLine } from '#cli/flags.ts'
import { verifyCommand } from '#cli/verify/flags.ts'
import { readVerifyOptions } from '#cli/verify/options.ts'
import { httpTarget } from './targets/http.ts'
import { localHttp } from './targets/local-http.ts'
import { mswTarget } from './targets/msw.ts'
import { conformance } from './vitest/conformance.ts'

const all = { extended: 'on', maxCredits: 20 } as const
const suite = { name: 'work-agent-contract', version: 'vitest' }

if (process.env.WORK_AGENT_BASE_URL) {
  const { baseUrl = '', settings } = readVerifyOptions(readCommandLine(verifyCommand, [], process.env), suite)
  conformance(baseUrl, () => ({ target: httpTarget(baseUrl), settings }))
} else {
  conformance('over HTTP', async () => {
    const { target, access } = await localHttp()
    return { target, settings: { ...access, ...all } }
  })
  conformance('through msw', () => {
    const { target, access } = mswTarget({ variant: 'second' })
    return { target, settings: { ...access, ...all } }
  })
}
