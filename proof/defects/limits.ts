/** §7.2, §7.3, §8.1: limits that are missing, shared or never end, and outages that stay. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { createLandingPage } from '#mocks/core/creatives.ts'
import { createFailure } from '#mocks/core/failure.ts'
import { createKey, type Organization } from '#mocks/core/organization.ts'
import type { RateLimit } from '#mocks/core/resources.ts'
import { createTask, startOrQueueRun } from '#mocks/core/tasks.ts'
import { rateLimitPrecondition } from '#mocks/pipeline/decide.ts'
import type { AuthenticatedContext } from '#mocks/pipeline/service.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { combineMutations, type Mutation, parseTableKey } from '../mutations/mutation.ts'
import {
  changeOrganizationsOnRefusal,
  createDocumentDirectly,
  withDelayedEffects,
  withKnownOrganizations,
} from '../mutations/organizations.ts'
import {
  createEveryNthCallPredicate,
  replaceAnswersWithError,
  rewriteAnswers,
  rewriteErrors,
} from '../mutations/reply.ts'
import { addPrecondition, overrideRateLimitWait, replaceRateLimit } from '../mutations/rules.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'

/** Changes Retry-After of a 429. */
const retryAfter = (change: (seconds: number) => string) =>
  rewriteErrors(429, ({ headers }) => headers.set('retry-after', change(Number(headers.get('retry-after')))))

/** Counts the requests twice that `isMeant` picks. */
const countTwice = (isMeant: (context: AuthenticatedContext) => boolean) =>
  replaceRateLimit(
    (context) =>
      rateLimitPrecondition(context) ?? (isMeant(context) ? rateLimitPrecondition(context) : undefined),
  )

/** Deliberate defects of rate limits and outages. */
export const limitDefects: readonly Defect[] = [
  ...defectForEach(
    operationIds.filter((operation) => routeOf(operation).auth === 'key'),
    (operation) => [
      `LIMIT-${operation} limit-${operation}: ${operation} is not rate-limited.`,
      replaceRateLimit((context) =>
        context.operation === operation ? undefined : rateLimitPrecondition(context),
      ),
    ],
  ),
  ...defectsOfTable({
    'LIMIT-whoami limit-of-one-key: Only the first key of an organization is limited.': () =>
      replaceRateLimit((context) => {
        const { credential, org } = context.principal
        const [first] = [...org.keys.all()]
        return first?.id === credential || context.route.auth !== 'key'
          ? rateLimitPrecondition(context)
          : undefined
      }),
    'LIMIT-RETRY-AFTER limit-no-retry-after: 429 has no Retry-After.': () =>
      rewriteErrors(429, ({ headers }) => headers.delete('retry-after')),
    'LIMIT-RETRY-AFTER limit-retry-after-words: Retry-After of a 429 is the word "soon".': () =>
      retryAfter(() => 'soon'),
    'LIMIT-RETRY-AFTER limit-retry-after-fraction: Retry-After of a 429 is a fraction of seconds.': () =>
      retryAfter(() => '1.5'),
    'LIMIT-RETRY-AFTER limit-sometimes-fraction: Every 120th request is answered 429 with a Retry-After of 0.5 s.':
      () => {
        const limits = createEveryNthCallPredicate(120)
        return rewriteAnswers((reply, { request }) => {
          if (request.method !== 'GET' || !request.headers.has('authorization') || !limits()) return
          if (reply.status >= 300) return
          Object.assign(reply, {
            status: 429,
            body: { error: 'rate_limited', message: 'Too many requests.' },
          })
          reply.headers.set('retry-after', '0.5')
        })
      },
    'LIMIT-WAITED-OUT limit-retry-after-short: Retry-After of a 429 is shorter than necessary.': () =>
      retryAfter((seconds) => String(Math.floor(seconds / 2))),
    'LIMIT-WAITED-OUT limit-retry-after-rounded: Retry-After of a 429 is rounded to seconds, not rounded up.':
      () =>
        replaceRateLimit((context) => {
          const refusal = rateLimitPrecondition(context)
          const seconds = Math.round((refusal?.retry_after_ms ?? 0) / 1_000)
          return refusal && createFailure('rate_limited', undefined, seconds * 1_000)
        }),
    'LIMIT-WAITED-OUT limit-retry-after-constant: Retry-After of a 429 is always 1.': () =>
      retryAfter(() => '1'),
    'LIMIT-WAITED-OUT limit-never-over: A key that was limited once stays limited until its limit is changed.':
      () => {
        const limited = new Map<string, unknown>()
        return replaceRateLimit((context) => {
          const { credential, org } = context.principal
          const { rate_limit: rule } = org.overrides
          if (rule && limited.get(credential) === rule) return createFailure('rate_limited', undefined, 1_000)
          const refusal = rateLimitPrecondition(context)
          if (refusal) limited.set(credential, rule)
          return refusal
        })
      },
    'LIMIT-NOT-BEFORE limit-off-by-one: A limit lets one request fewer through than it says.': () =>
      overrideRateLimitWait((rule, { credential, org, at }) =>
        org.limiter.admit(credential, { ...rule, limit: rule.limit - 1 }, at),
      ),
    'LIMIT-NOT-BEFORE limit-counts-twice-post: Each POST counts twice against the limit.': () =>
      countTwice(({ route }) => route.method === 'POST'),
    'LIMIT-NOT-BEFORE limit-counts-twice-list: Each list of tasks counts twice against the limit.': () =>
      countTwice(({ operation }) => operation === 'listTasks'),
    'LIMIT-NOT-BEFORE limit-counts-twice-read: Each GET counts twice against the limit.': () =>
      countTwice(({ route }) => route.method === 'GET'),
    'LIMIT-NOT-BEFORE limit-expires-later: Each request puts off the end of the window, so that it never ends while requests go on.':
      () => {
        const windows = new Map<string, { rule: RateLimit; used: number; end: number }>()
        return overrideRateLimitWait((rule, { credential, at }) => {
          const known = windows.get(credential)
          const used = (known?.rule === rule && at < known.end ? known.used : 0) + 1
          windows.set(credential, { rule, used, end: at + rule.window_ms })
          return used > rule.limit ? rule.window_ms : 0
        })
      },
    'LIMIT-OTHER-KEY limit-for-all: When one organization is limited, all are.': () =>
      withKnownOrganizations((known) =>
        replaceRateLimit((context) => {
          const { org } = context.principal
          const other = [...known].find((one) => one !== org && one.overrides.rate_limit)
          return other ? createFailure('rate_limited', undefined, 1_000) : rateLimitPrecondition(context)
        }),
      ),
    'LIMIT-SAME-ORGANIZATION limit-for-organization: The keys of an organization share one limit.': () =>
      replaceRateLimit((context) => {
        const { principal, route } = context
        return rateLimitPrecondition(
          route.auth === 'key' ? { ...context, principal: { ...principal, credential: 'all' } } : context,
        )
      }),
    'UNAVAILABLE-OVER UNAVAILABLE-UNARRANGED unavailable-for-good: An outage never ends.': () => {
      const out = new WeakSet<Organization>()
      return addPrecondition(({ operation, principal: { org } }) => {
        if (org.overrides.unavailable) out.add(org)
        return operation === 'whoami' && out.has(org) ? createFailure('unavailable') : undefined
      })
    },
  }),
]

const taskIn = (org: Organization, path: string) => org.tasks.get(path.split('/').at(-2) ?? '')

/** Takes a credit for a run that is refused with a status. */
const charge = (status: number) =>
  changeOrganizationsOnRefusal('runTask', [status], (org, now, { path }) => {
    if (taskIn(org, path)) org.ledger.topUp(-1, now)
  })

/** Takes a credit for a generation that a limit or an outage refuses. */
const chargeCreative = (status: number) =>
  changeOrganizationsOnRefusal('generateCreative', [status], (org, now) => {
    if (status === 429 || org.overrides.unavailable) org.ledger.topUp(-1, now)
  })

/** Starts the run of a task that was refused with a status, after a delay. */
const start = (status: number, delay_ms: number) =>
  withDelayedEffects((arrange) =>
    changeOrganizationsOnRefusal('runTask', [status], (org, now, { path }) => {
      const task = taskIn(org, path)
      if (task) arrange(org, now + delay_ms, (then) => startOrQueueRun(org, task, then))
    }),
  )

/** The function that creates a resource from the body of a request, by operation. */
const creating = {
  createTask: (org: Organization, { text }: { text: string }, at: number) => createTask(org, text, at),
  createDocument: (org: Organization, { title }: { title: string }, at: number) =>
    createDocumentDirectly(org, title, at),
  createKey: (org: Organization, { name }: { name: string }, at: number) =>
    createKey(org, name, org.newSecret(), at),
  createLandingPage,
} as const

/** True if a body has a text in some field, as a required one would be. */
const isWhole = (body: string) =>
  Object.values(Object(parseJson(body))).some((one) => typeof one === 'string')

/** Creates what was refused with a status, after a delay. */
const create = (status: number, delay_ms: number, operation: keyof typeof creating = 'createTask') =>
  withDelayedEffects((arrange) =>
    changeOrganizationsOnRefusal(operation, [status], (org, now, { body }) => {
      if (!isWhole(body)) return
      arrange(org, now + delay_ms, (then) => void creating[operation](org, JSON.parse(body), then))
    }),
  )

/** Marks a notification whose marking was refused with a status. */
const mark = (status: number) =>
  changeOrganizationsOnRefusal('readNotification', [status], ({ notifications }, _, { path }) => {
    const one = notifications.get(path.split('/').at(-2) ?? '')
    if (one) notifications.markRead(one)
  })

/** Answers 409 in place of 401 to a repeated request for the run of a task. */
const conflictOnRepeat = () =>
  withKnownOrganizations((known) => {
    const seen = new Set<string>()
    return replaceAnswersWithError(
      ({ status }, { request }) => {
        const { pathname } = new URL(request.url)
        const isOfTask = [...known].some((org) => taskIn(org, pathname))
        return status === 401 && isOfTask && seen.size === seen.add(pathname).size
      },
      [409, 'invalid_request'],
      'runTask',
    )
  })

/** The first words of ids and of requirements, by the status of a refusal. */
const refusing = {
  401: ['unauthorized', 'AUTH-REFUSED'],
  429: ['limit', 'LIMIT-REFUSED'],
  503: ['unavailable', 'UNAVAILABLE'],
} as const

/**
 * Effects that refused requests leave: by the statuses, the last words of the requirement and of the id; `#` is the
 * status.
 */
const left: Readonly<Record<string, (status: number) => Mutation>> = {
  '401 429 RUN runs-anyway: A run that is refused with # starts.': (status) => start(status, 0),
  '401 503 RUN runs-later: A run that is refused with # starts 200 ms later.': (status) => start(status, 200),
  '401 429 RUN charges: A run that is refused with # costs a credit.': charge,
  '503 RUN run-charges: A run that is refused with # costs a credit.': charge,
  '401 TASK creates: A task that is refused with # is created.': (status) => create(status, 0),
  '429 503 TASK creates-anyway: A task that is refused with # is created.': (status) => create(status, 0),
  '429 503 TASK creates-later: A task that is refused with # is created 100 ms later.': (status) =>
    create(status, 100),
  '401 DOCUMENT stores: A document that is refused with # is created.': (status) =>
    create(status, 0, 'createDocument'),
  '429 503 DOCUMENT stores-anyway: A document that is refused with # is created.': (status) =>
    create(status, 0, 'createDocument'),
  '401 KEY makes-key: A key that is refused with # is created.': (status) => create(status, 0, 'createKey'),
  '401 429 503 LANDING-PAGE publishes: A landing page that is refused with # is created.': (status) =>
    create(status, 0, 'createLandingPage'),
  '401 429 503 MARKING marks: A notification whose marking is refused with # is marked.': mark,
  '429 503 CREATIVE creative-charges: A generation that is refused with # costs a credit.': chargeCreative,
}

const ofRefusals = Object.entries(left).flatMap(([row, mutate]) => {
  const { words, id, title } = parseTableKey(row)
  const noun = words.at(-1)
  return defectForEach(words.slice(0, -1), (status) => {
    const [word, requirement] = refusing[Number(status) as keyof typeof refusing]
    return [`${requirement}-${noun} ${word}-${id}: ${title.replace('#', status)}`, mutate(Number(status))]
  })
})

const kinds = [
  ['unauthorized', 401, 'A run that is refused with 401'],
  ['isolation', 404, "A run of another organization's task is answered 404 and"],
  ['unavailable', 503, 'A run that is refused with 503'],
  ['limit', 429, 'A run that is refused with 429'],
] as const

/** Deliberate defects of requests that are refused and nevertheless take effect. */
export const refusalWithEffectDefects: readonly Defect[] = [
  ...ofRefusals,
  ...defectForEach(kinds, ([name, status, what]) => [
    `RUN-REFUSED-LATER ${name}-runs-much-later: ${what} starts 400 ms later.`,
    start(status, 400),
  ]),
  ...defectsOfTable({
    'AUTH-REFUSED-RUN AUTH-INVALID-runTask unauthorized-runs-and-conflicts: A run that is refused with 401 starts, and the next request for it is answered 409.':
      () => combineMutations(start(401, 0), conflictOnRepeat()),
    "ISOLATION-RUN-TASK isolation-runs-later: A run of another organization's task is answered 404 and starts 200 ms later.":
      () => start(404, 200),
    'AUTH-REFUSED-DELETION unauthorized-deletes: A key whose deletion is refused with 401 is deleted.': () =>
      changeOrganizationsOnRefusal('deleteKey', [401], ({ keys, changes }, _, { path }) => {
        const one = keys.get(path.split('/').at(-1) ?? '')
        if (one) changes.change('keys', one, { deleted: true })
      }),
  }),
]
