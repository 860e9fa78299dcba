/** Provider states that answer 2xx and do something else: the set-up is at fault, and no requirement is accused. */
import { expect, test } from 'vitest'
import { resultsWithOutcome } from '#contract-tests/harness/outcome.ts'
import type { SuiteSettings } from '#contract-tests/harness/terms.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { combineMutations, type Mutation } from './mutations/mutation.ts'
import { overrideMethod } from './mutations/organizations.ts'
import { answerProviderStateRequests } from './mutations/reply.ts'
import { tryMutations } from './trial.ts'

/** Without a second organization, the first one meets every limit. */
const alone: Partial<SuiteSettings> = { concurrency: 1 }

const done = () => new Response(null, { status: 204 })

/** Keeps the counters of the rate limit. */
const keepsCounters = overrideMethod(
  (org: Organization) => org.limiter,
  'clear',
  () => () => undefined,
)

/** Forgets the counters of the rate limit with its teardown only. */
const forgetsCountersLater: Mutation = {
  onOrganization(org) {
    const clear = org.limiter.clear.bind(org.limiter)
    org.limiter.clear = () => {
      if (org.overrides.rate_limit) clear()
    }
  },
}

/** Answers a state without doing anything. */
const ignores = (name: string) =>
  answerProviderStateRequests(({ state }) => (state === name ? done() : undefined))

/** Answers the teardown of a state without doing anything. */
const keeps = (name: string) =>
  answerProviderStateRequests(({ state, action }) =>
    state === name && action === 'teardown' ? done() : undefined,
  )

/** Works for so many requests, and then fails. */
function failsAfter(requests: number): Mutation {
  let asked = 0
  return answerProviderStateRequests(() =>
    ++asked > requests ? new Response(null, { status: 500 }) : undefined,
  )
}

/** Answers states at once and lets them take effect a second later, as an organization that is cached does. */
function takesEffectLate(): Mutation {
  const due: { readonly at: number; readonly request: Request }[] = []
  return {
    async middleware({ request, mock }, next) {
      while (due[0] && due[0].at <= mock.clock.now())
        await next((due.shift() as (typeof due)[number]).request)
      if (!request.url.endsWith('/states')) return next(request)
      due.push({ at: mock.clock.now() + 1_000, request })
      return done()
    },
  }
}

/** Keeps the agent busy for as long as the state is not torn down. */
const busyUntilTeardown = overrideMethod(
  (org: Organization) => org.agent,
  'busyUntil',
  (busyUntil) => (moment) => busyUntil(moment + 3_600_000),
)

/** Keeps every run failing once one was made to fail. */
const failsForever = (): Mutation => {
  let isFailing = false
  return {
    onOrganization(org) {
      Object.defineProperty(org.overrides, 'next_run_fails', {
        get: () => isFailing,
        set(value: boolean) {
          isFailing ||= value
        },
      })
    },
  }
}

/** Requires that nothing is red, and that some requirement is not exercised for each of these reasons. */
async function expectSetUpAtFault(
  mutation: Mutation,
  expected: readonly RegExp[],
  settings?: Partial<SuiteSettings>,
) {
  const { run, red } = await tryMutations([mutation], 'first', settings)
  expect(red).toEqual([])
  const reasons = resultsWithOutcome(run, 'not_exercised').map((one) => one.reason ?? '')
  expect(expected.filter((reason) => !reasons.some((one) => reason.test(one)))).toEqual([])
  return run
}

const faultyStates: readonly [string, Mutation, RegExp, Partial<SuiteSettings>?][] = [
  [
    'agent_idle answers at once',
    combineMutations({ options: { busy: 60 } }, ignores('agent_idle')),
    /"agent_idle" answered 2xx, and a run still had to wait/,
  ],
  ['agent_busy lasts until it is torn down', busyUntilTeardown, /"agent_busy" lasts longer than the 400 ms/],
  ['next_run_fails is never consumed', failsForever(), /after the teardown of the state "next_run_fails"/],
  ['rate_limit keeps its counters', keepsCounters, /keeps its counters/, alone],
  [
    'rate_limit forgets its counters too late',
    combineMutations({ options: { rateLimit: '600/60s' } }, forgetsCountersLater),
    /keeps its counters/,
    alone,
  ],
  ['states take effect a second late', takesEffectLate(), /"rate_limit" limits nothing/],
  [
    'answer_lost loses no answer',
    ignores('answer_lost'),
    /with "answer_lost" the run was answered as usual/,
    { only: ['PATH-RUN-ONCE'] },
  ],
]

test.each(sampleUnlessExhaustive(faultyStates, 2))('%s', async (_, mutation, reason, settings) => {
  await expectSetUpAtFault(mutation, [reason], settings)
})

test.each([
  {
    next_run_fails: /with "next_run_fails" the run ended as/,
    next_creative_fails: /with "next_creative_fails" the generation/,
    unread_notification: /"unread_notification" answered 2xx/,
  },
  {
    unavailable: /"unavailable" makes nothing unavailable/,
    rate_limit: /"rate_limit" limits nothing/,
    credits: /with the state "credits" at/,
  },
])('states have no effect together: $0', async (reasons) => {
  await expectSetUpAtFault(combineMutations(...Object.keys(reasons).map(ignores)), Object.values(reasons))
})

const keptStates = [
  ['unavailable', ', key routes still answer 503'],
  ['agent_busy', ', a run waited'],
  ['rate_limit', ''],
] as const

test.each(
  sampleUnlessExhaustive(keptStates, 3),
)('the teardown of %s has no effect, and holds a run up for two minutes at most', async (name, consequence) => {
  const reason = new RegExp(`after the teardown of the state "${name}"${consequence}`)
  const { disturbances } = await expectSetUpAtFault(keeps(name), [reason])
  expect(disturbances.waited_ms).toBeLessThan(120_000)
})

test('the states fail in the middle of a run', async () => {
  await expectSetUpAtFault(failsAfter(30), [/answered 500/])
})
