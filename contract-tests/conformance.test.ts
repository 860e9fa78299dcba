/**
 * The catalogue through vitest: against a mock over HTTP and one through msw (proof/matrix.test.ts has those in
 * process), or against WORK_AGENT_BASE_URL alone where that is set (with WORK_AGENT_API_KEY and the other variables
 * of `verify`).
 */
import { setupServer } from 'msw/node'
import { verifyCommandDefinition } from '#cli/command-lines.ts'
import { readCommandLine } from '#cli/flags.ts'
import { readVerifyOptions } from '#cli/verify/options.ts'
import { listen } from '#mocks/edges/http.ts'
import { createMock } from '#mocks/index.ts'
import { bodyBytesOf } from '#traffic/malformed-input.ts'
import type { Transport } from './client/target.ts'
import { createHttpTarget } from './targets/http.ts'
import { createEmbeddedMock } from './targets/in-process.ts'
import { withVirtualClock } from './targets/virtual-time.ts'
import { declareRequirementTests } from './vitest/conformance.ts'

const all = { extended: 'on', maxCredits: 20 } as const
const suite = { name: 'work-agent-contract', version: 'vitest' }

if (process.env.WORK_AGENT_BASE_URL) {
  const { baseUrl = '', settings } = readVerifyOptions(
    readCommandLine(verifyCommandDefinition, [], process.env),
    suite,
  )
  declareRequirementTests(baseUrl, () => ({ target: createHttpTarget(baseUrl), settings }))
} else {
  declareRequirementTests('over HTTP', async () => {
    const mock = createMock({ credits: 40, rateLimit: 'off', runDuration: '30ms' })
    const listener = await listen(mock, { host: '127.0.0.1', port: 0 })
    const target = createHttpTarget(listener.url)
    return {
      target: { ...target, close: () => target.close().then(() => listener.close()) },
      settings: { ...mock.credentials(), statesUrl: `${listener.url}/__admin/states`, ...all },
    }
  })
  declareRequirementTests('through msw', () => {
    const baseUrl = 'https://work-agent.invalid/v1'
    const mock = createMock({ credits: 40, rateLimit: 'off', now: Date.now(), variant: 'second' })
    const { target: states, access } = createEmbeddedMock({}, () => mock)
    const server = setupServer(...mock.handlers(baseUrl))
    server.listen({ onUnhandledFrame: 'error' })
    const transport: Transport = (url, outgoing) => {
      if (url === access.statesUrl) return states.transport(url, outgoing)
      const { method, headers, body, signal = null } = outgoing
      return fetch(url, { method, headers, signal, body: body === undefined ? null : bodyBytesOf(body) })
    }
    const target = withVirtualClock({ baseUrl, transport, close: async () => server.close() }, mock.clock)
    return { target, settings: { ...access, ...all } }
  })
}
