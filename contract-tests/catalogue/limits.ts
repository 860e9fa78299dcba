/** §7.2, §7.3, §8.1: rate limits for each key, and temporary unavailability. */
import { brief, isAccepted } from '#traffic/exchange.ts'
import { Violation } from '../client/check-errors.ts'
import { assumeLimitTookEffect, beyondLimit, refused, waitedOut } from '../evidence/beyond-limit.ts'
import { newKey } from '../evidence/keys.ts'
import { oneLimit } from '../evidence/one-limit.ts'
import { assumeTornDown, outage, outageFault } from '../evidence/outage.ts'
import { expectNotLimited, expectUnlimited, limit, most } from '../evidence/rate-limit.ts'
import { bearer } from '../harness/context.ts'
import { assumeAccepted, expectAccepted, expectRefused, expectThat, refusals } from '../harness/expect.ts'
import { creates, freeKeyOperations } from '../harness/operation-groups.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'

const alone = { alone: true } as const
const outages = { ...alone, needs: ['state:unavailable'] } as const

const eachRoute = freeKeyOperations.map((operation) =>
  must(`LIMIT-${operation}`, '§8.1', operation, {
    alone: true,
    writes: creates(operation),
    needs:
      operation === 'readNotification'
        ? ['state:rate_limit', 'state:unread_notification']
        : ['state:rate_limit'],
  })
    .states(`${operation} is rate-limited: it returns 429 once the key has exceeded its limit.`)
    .check(async (t) => {
      const last = await beyondLimit(t, operation)
      if (last.status === 429) return
      if (!isAccepted(last) && isAccepted(await t.call('whoami')))
        throw new Violation('429 rate_limited', brief(last), last)
      await assumeLimitTookEffect(t)
      throw new Violation(`429 by request ${most}, with a limit of ${limit}`, brief(last), last)
    }),
)

export const limits: Requirement[] = [
  ...eachRoute,

  must('LIMIT-CODE', '§7, §8.1', null, alone)
    .states('Exceeding the limit returns the error code rate_limited.')
    .check(async (t) => void expectRefused(await refused(t), refusals.rateLimited)),

  must('LIMIT-WAITED-OUT', '§7.2', null, alone)
    .states('After the wait given in Retry-After, the same request is no longer limited.')
    .check(async (t) => {
      const { limited, answer, waited } = await waitedOut(t)
      const actual = `${brief(answer)} after ${waited / 1_000} s`
      expectThat(answer.status !== 429, 'any status but 429', actual, limited, answer)
    }),

  must('LIMIT-OTHER-KEY', '§8.1', null, {
    alone: true,
    quiet: true,
    writes: true,
    needs: ['state:rate_limit'],
  })
    .states('Exceeding the limit of one key does not limit any other key.')
    .check(async (t) => {
      const { limited, otherKey } = t.run.overlapped ? await oneLimit(t) : {}
      if (limited && otherKey) return expectNotLimited(limited, otherKey)
      const other = t.settings.otherApiKey ? t.other : t.as('created key', bearer((await newKey(t)).secret))
      assumeAccepted(await other.call('whoami'))
      return expectUnlimited(t, other)
    }),

  must('UNAVAILABLE-CODE', '§7', null, outages)
    .states('Key routes return 503 unavailable while the service is unavailable.')
    .check(async (t) => {
      const { answers } = await outage(t)
      if (answers.every(isAccepted)) throw outageFault()
      for (const exchange of answers) expectRefused(exchange, refusals.unavailable)
    }),

  must('UNAVAILABLE-OVER', '§7.3', null, outages)
    .states('Requests succeed again after an outage.')
    .check(async (t) => {
      await outage(t)
      const whoami = await t.call('whoami')
      if (whoami.status === 503) await assumeTornDown(t)
      expectAccepted(whoami)
    }),

  should('UNAVAILABLE-UNARRANGED', '§7', null)
    .states('No valid request is answered 503 unavailable unless an outage was arranged.')
    .observe(({ exchanges, violations }) => {
      const found = violations.filter(({ requirement }) => requirement === 'UNAVAILABLE-UNARRANGED')
      const [first] = found
      if (!first) return
      const times = found.length === 1 ? 'once' : `${found.length} times in all`
      const shown = exchanges.filter(({ number }) => first.because.includes(number))
      throw new Violation(first.expected, `${first.actual}, ${times}`, ...shown)
    }),
]
