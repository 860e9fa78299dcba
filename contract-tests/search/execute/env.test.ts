/**
 * The cases that count as a lost answer, the organization whose credit is then spent, and the signs of another client.
 */
import { expect, test } from 'vitest'
import type { Exchange } from '#traffic/exchange.ts'
import type { Transport } from '../../client/target.ts'
import { bearerHeader, type TestContext } from '../../harness/context.ts'
import type { SuiteSettings } from '../../harness/terms.ts'
import { createContextOnMock } from '../../testing/run.ts'
import { IsolatedTenants } from '../reproduce/isolated-tenants.ts'
import { type CallStep, payerOfEachPaidRequest, type Step, type StepTenant } from '../step.ts'
import { CreditSource } from './credit-source.ts'
import { createSearchEnvironment } from './env.ts'
import { describeChangeByOthers, InterferenceMonitor } from './interference.ts'
import { RecordingTransport } from './transport.ts'

const common = { kind: 'call', stepId: 1, tenant: 'main' } as const

const request = { operation: 'whoami', tenant: 'main', resource: undefined, caller: 'main' } as const

function wireOf(transport?: Transport) {
  const t = createContextOnMock({}, { transport })
  return {
    transport: new RecordingTransport(t),
    recorder: t.recorder,
    credentials: bearerHeader(t.settings.apiKey),
  }
}

test('a mistake in a rule is ours, and no lost answer', async () => {
  const { transport, credentials } = wireOf()
  const nothing = () => undefined
  const answered = () => {
    throw new TypeError('a mistake in a rule')
  }
  transport.listeners.add({ sent: nothing, arranged: nothing, answered })
  await expect(transport.send({ ...request, credentials })).rejects.toThrow('a mistake in a rule')
})

test('an answer that does not come is lost', async () => {
  const { transport, credentials } = wireOf(() => Promise.reject(new TypeError('fetch failed')))
  expect(await transport.send({ ...request, credentials })).toBeUndefined()
  expect(transport.history).toMatchObject([{ operation: 'whoami', answer: null }])
})

test('an answer that is nested too deep is not taken in', async () => {
  const deep = () => Promise.resolve(new Response('['.repeat(2_000) + ']'.repeat(2_000)))
  const { transport, credentials } = wireOf(deep)
  await expect(transport.send({ ...request, credentials })).rejects.toThrow('nested deeper than 500 levels')
})

const run = (tenant: StepTenant): Step => ({
  ...common,
  tenant,
  credential: 'key',
  operation: 'runTask',
  target: 'task',
})

test('each organization pays for what it asks for', async () => {
  const creditSource = new CreditSource(createContextOnMock({ maxCredits: 2 }))
  await creditSource.openAccounts(['main'])
  const payers = payerOfEachPaidRequest([run('main'), run('other'), run('main'), run('other'), run('other')])
  expect(payers).toEqual(['main', 'other', 'main', 'other', 'other'])
  expect(creditSource.allows(payers)).toBe(false)
  expect(creditSource.allows(payers.slice(0, 4))).toBe(true)
})

const exchange = (json: unknown) => ({ status: 200, json }) as unknown as Exchange
const call = (operation: CallStep['operation']): CallStep => ({ ...common, credential: 'session', operation })
const keys = (...ids: string[]) => [call('listKeys'), exchange({ keys: ids.map((id) => ({ id })) })] as const

test('a list of keys that shows an older one once a newer one is deleted, or one that a replay made, tells nothing', () => {
  const otherClients = new InterferenceMonitor('run', new Set(['k0']))
  otherClients.recordAnswer(...keys('k3', 'k2'))
  otherClients.recordAnswer(call('deleteKey'), exchange({ ok: true }))
  otherClients.recordAnswer(...keys('k2', 'k1'))
  expect(otherClients.noticed.size).toBe(0)
  otherClients.recordAnswer(...keys('k2', 'k0'))
  expect(otherClients.noticed.size).toBe(0)
  otherClients.recordAnswer(...keys('k4', 'k2'))
  expect(otherClients.noticed.get('main')).toContain('k4')
})

/**
 * The foreign change that is detected in an organization: `beside` acts while it is watched, `onRead` at each reading.
 */
async function seenWhile(
  beside: (mark: () => Promise<unknown>) => Promise<unknown> | undefined,
  onRead?: (mark: () => Promise<unknown>) => Promise<unknown>,
) {
  const t = createContextOnMock({ runId: 'verify-still' })
  const org_id = await t.orgId()
  const mark = () => t.states.setup('unread_notification', { org_id })
  const { target } = t
  const env = createSearchEnvironment({
    ...t,
    recorder: t.recorder,
    target: {
      ...target,
      transport: async (...sent) => {
        if (sent[0].endsWith('/notifications')) await onRead?.(mark)
        return target.transport(...sent)
      },
      sleep: async (ms) => void (await Promise.all([target.sleep(ms), beside(mark)])),
    },
  } as TestContext)
  return describeChangeByOthers(env, 'main')
}

test('what changes in an organization while nothing is sent is the work of somebody else', async () => {
  const nothing = () => undefined
  expect(await seenWhile((mark) => mark())).toBe('listNotifications changed in 5 s in which nothing was sent')
  expect(await seenWhile(nothing)).toBeUndefined()
  // A change that comes with every reading is not.
  expect(await seenWhile(nothing, (mark) => mark())).toBeUndefined()
})

test('no organization is opened by a key that the operator has not declared', async () => {
  const sent = new Set<string>()
  const opened = async (settings: Partial<SuiteSettings>) => {
    const t = createContextOnMock(settings, {
      transport: (_, { headers }) => {
        sent.add(headers.authorization ?? headers.cookie ?? '')
        return Promise.resolve(Response.json({ org: { id: sent.size }, plan: '', credits: 1 }))
      },
    })
    sent.clear()
    const isolatedTenants = new IsolatedTenants(createSearchEnvironment(t))
    const isOffered = await isolatedTenants.isAvailable()
    return { isOffered, sent: [...sent], secrets: isolatedTenants.secrets.map(({ value }) => value) }
  }
  const none = { isOffered: false, sent: [], secrets: [] }
  expect(await opened({ freshKeys: undefined })).toEqual(none)
  expect(await opened({ freshSessions: undefined })).toEqual(none)
  const given = { runId: 'run-1', freshKeys: 'key-*', freshSessions: 's=session-*' }
  expect(await opened(given)).toMatchObject({
    isOffered: true,
    sent: ['s=session-run-1-1', 'Bearer key-run-1-1', 'Bearer key-run-1-1-other'],
    secrets: ['key-run-1-1', 'key-run-1-1-other', 'session-run-1-1', 'session-run-1-1-other'],
  })
})

test.each([
  ['from the beginning', (): boolean => true, undefined, []],
  ['once its key was used', (keysUsed: number) => keysUsed > 0, undefined, ['other']],
  [
    'never',
    () => false,
    '--fresh-sessions opens nothing, although the key of the same tag was used',
    ['other'],
  ],
] as const)('a fresh session that opens its organization %s is told apart', async (_, opens, problem, opened) => {
  const keys = new Set<string | undefined>()
  const settings = { freshKeys: 'key-*', freshSessions: 's=session-*' }
  const t = createContextOnMock(settings, {
    transport: (_, { headers: { authorization, cookie } }) => {
      if (authorization) keys.add(authorization)
      const status = cookie && !opens(keys.size) ? 401 : 200
      return Promise.resolve(Response.json({ org: { id: keys.size }, plan: '', credits: 1 }, { status }))
    },
  })
  const isolatedTenants = new IsolatedTenants(createSearchEnvironment(t))
  expect(await isolatedTenants.isAvailable()).toBe(problem === undefined)
  expect(isolatedTenants.problem).toBe(problem)
  const { openingRequests } = await isolatedTenants.envFor([
    { kind: 'call', stepId: 1, tenant: 'other', credential: 'session', operation: 'listKeys' },
  ])
  expect(openingRequests).toBe(opened.length)
})

test('an isolated tenant ends with the search, polls runs later, and knows of no earlier failure', async () => {
  const env = createSearchEnvironment(createContextOnMock({ freshKeys: 'key-*' }))
  env.runTimes.failureArrangedAt = 1
  const { deadline, runTimes } = await new IsolatedTenants(env).envFor([])
  expect(deadline).toBe(env.deadline)
  expect(runTimes.typicalMs).toBeGreaterThan(env.runTimes.typicalMs)
  expect(runTimes.failureArrangedAt).toBe(Number.NEGATIVE_INFINITY)
})
