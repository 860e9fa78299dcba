/** §4 Extended route set, if it is offered. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { countWithNoun } from '#reporting/markup.ts'
import { briefAnswer, type Exchange, hasSuccessStatus, isBusy, valueAtPath } from '#traffic/exchange.ts'
import { readResponseBody } from '../client/answer.ts'
import { NotApplicable, NotExercised, rethrowUnlessNotExercised, Violation } from '../client/check-errors.ts'
import { creditsSpentBetween, readCredits } from '../fixtures/credits.ts'
import {
  requestFailingGenerations,
  requestFirstGeneration,
  requestGeneration,
  requestGenerationsWithAllFields,
  requestInvalidGeneration,
} from '../fixtures/generations.ts'
import { createAlternatingClientSelector } from '../fixtures/key-use.ts'
import { pollForEffect } from '../fixtures/late-effects.ts'
import { createLandingPage, requestLandingPageCreation } from '../fixtures/resources.ts'
import { withCreditsSet } from '../fixtures/set-credits.ts'
import { assumeBalanceUndisturbed, expectSpent } from '../fixtures/spending.ts'
import { assumePositiveControl, createFullLandingPage } from '../fixtures/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import {
  allowRefusalOrSuccess,
  assumeAccepted,
  assumePresent,
  assumeRefused,
  documentedRefusals,
  expectEachRefused,
  expectThat,
  findItem,
} from '../harness/expect.ts'
import { createdIdIn } from '../harness/operations.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'
import { isAllowedRefusal } from '../model/index.ts'
import { newestInListCheckTraits } from './resource-kinds.ts'

const notDeclared = 'the extended route set is not declared as offered (--extended on)'

const paid = { retryOnViolation: true, cost: 1 } as const

/** Requires a generation alone to be accepted with the credit that is left, after several at once were all refused. */
async function expectLastCredit(t: TestContext): Promise<void> {
  const exchange = await t.call('generateCreative', { body: { prompt: t.name('A blue square') } })
  const credits = await readCredits(t)
  if (credits >= 1 && isAllowedRefusal(exchange, documentedRefusals.noCredits))
    throw new Violation(`a success, with ${credits} credit(s)`, briefAnswer(exchange), exchange)
}

/** Requirements on the extended routes, where they are offered. */
export const extendedRouteRequirements: Requirement[] = [
  must('EXTENDED-OFFERED', '§1', null, {
    obstacle: ({ extended }) => (extended === 'on' ? undefined : notDeclared),
  })
    .tests('core-set-required')
    .states('If the extended route set is declared as offered, every route in it exists.')
    .experiment('comparison', async (t) => {
      if (t.settings.extended !== 'on') throw new NotApplicable(notDeclared)
      const missing: Exchange[] = []
      for (const operation of operationIds.filter((id) => routeOf(id).set === 'extended')) {
        const seen = t.recorder.exchanges.find((one) => one.operation === operation && one.caller === 'main')
        const options =
          operation === 'generateCreative' || operation === 'createLandingPage' ? { body: '{' } : {}
        const exchange = seen ?? (await t.call(operation, options))
        if (exchange.status === 404) missing.push(exchange)
      }
      if (missing.length === 0) return
      const names = missing.map(({ operation }) => operation).join(', ')
      throw new Violation('every extended route to be offered', `404 for ${names}`, ...missing)
    }),

  must('CREATIVE-ACCEPTED', '§4', 'generateCreative', paid)
    .tests('org-credits', 'success-status', 'generate-creative', 'creative-cost')
    .states('With a credit available, a generation with only a prompt is accepted.')
    .experiment('condition', async (t) => {
      const { before, exchange } = await requestFirstGeneration(t)
      if (hasSuccessStatus(exchange)) return
      // A generation may fail or have to wait: neither is a refusal.
      if (exchange.status >= 500 || isBusy(exchange))
        throw new NotExercised(
          `the generation failed or had to wait (${briefAnswer(exchange)})`,
          undefined,
          exchange,
        )
      throw new Violation(`a success, with ${before} credits`, briefAnswer(exchange), exchange)
    }),

  must('CREATIVE-COSTS-ONE', '§4, §8.2', 'generateCreative', paid)
    .tests('billing-unavoidable', 'cost-one', 'generate-creative', 'creative-cost', 'prices')
    .explains('CREDITS-PROMPT', 'CREATIVE-COSTS-AT-ONCE')
    .explainsBalances('CREATIVE-REFUND')
    .states('A generation costs exactly one credit.')
    .experiment('balance', async (t) => {
      const { before, exchange, after } = await requestFirstGeneration(t)
      assumeAccepted(exchange)
      await expectSpent(t, 1, { before, after }, 'by the generation', exchange)
    }),

  must('CREATIVE-REFUSED-FREE', '§8.2', 'generateCreative', { ...paid, cost: 2 })
    .tests('generate-creative', 'prices')
    .explainsBalances('CREDITS-RUN-COSTS-ONE', 'ISOLATION-CREDITS', 'LIMIT-REFUSED-RUN', 'UNAVAILABLE-RUN')
    .states('A generation rejected as bad input costs nothing.')
    .experiment('balance', async (t) => {
      const { before, exchange, after } = await requestInvalidGeneration(t)
      assumeRefused(exchange, documentedRefusals.badInput)
      await expectSpent(t, 0, { before, after }, 'by the refused generation', exchange)
    }),

  must('CREATIVE-HOSTED', '§4', 'generateCreative', paid)
    .tests('creative-fields', 'generate-creative', 'creative-cost')
    .states('The url of a generated result is served.')
    .experiment('connection', async (t) => {
      const { exchange } = await requestFirstGeneration(t)
      // By now others were generated, which leave it where it is.
      if (t.run.exclusive && t.budget.left > 0) await requestGeneration(t).catch(rethrowUnlessNotExercised)
      const url = fileUrl(t, exchange)
      const file = async () => {
        const seen = await fetchFile(t, url)
        return seen.status === 404 ? undefined : seen
      }
      // A host of files may follow late; then each process of it has the file.
      const found = await t.until(t.settings.consistency, file)
      const again =
        found && (await Promise.all(Array.from({ length: otherProcesses }, () => fetchFile(t, url))))
      const { status, length } = again?.find((one) => one.status === 404) ??
        found ?? { status: 404, length: 0 }
      if (status === undefined)
        throw new NotExercised(`${url.origin}${url.pathname} cannot be reached from here`)
      // The specification leaves open who may see it.
      if (status === 401 || status === 403) throw new NotExercised(`${url.pathname} asks for a credential`)
      expectThat(status >= 200 && status < 400, `${url.pathname} to be served`, `status ${status}`, exchange)
      expectThat(status >= 300 || length > 0, `a file at ${url.pathname}`, 'no bytes', exchange)
    }),

  should('CREATIVE-REACHABLE', '§4', 'generateCreative', paid)
    .tests('creative-fields', 'generate-creative')
    .states('The url of a generated result names a host that can be reached from where the API is called.')
    .experiment('connection', async (t) => {
      const { exchange } = await requestFirstGeneration(t)
      const url = fileUrl(t, exchange)
      const { status } = await fetchFile(t, url)
      expectThat(
        status !== undefined,
        `an answer of the host of ${url.origin}${url.pathname}`,
        `none; if ${url.host} is no address of the service, what stands in front of it does not pass on the Host header, of which the service made the URL (nginx: proxy_set_header Host $http_host, or fastcgi_param HTTP_HOST $http_host)`,
        exchange,
      )
    }),

  must('CREATIVE-REFUND', '§4', 'generateCreative', {
    ...paid,
    cost: 2,
    needs: ['state:next_creative_fails'],
  })
    .tests('generate-creative', 'creative-cost')
    .states('A failed generation refunds its credit exactly once.')
    .experiment('balance', async (t) => {
      const { before, failed, kept, after, finalBalance } = await requestFailingGenerations(t)
      const made = countWithNoun(failed.length, 'failed generation')
      const what = kept.length > 0 ? `by ${made} beside ${kept.length} others` : `by ${made}`
      const all = [...failed, ...kept]
      await expectSpent(t, kept.length, { before, after }, what, ...all)
      await expectSpent(t, kept.length, { before, after: finalBalance }, `${what}, a moment later`, ...all)
    }),

  should('LANDING-PAGE-LISTED', '§4', 'listLandingPages', newestInListCheckTraits)
    .tests('list-contents', 'list-landing-pages')
    .explains('LIST-PROMPT')
    .states('The list contains a created landing page.')
    .judged(async (t) => {
      await assumePositiveControl(t, 'listLandingPages')
      const { name, exchange: created } = await createLandingPage(t)
      // A second one of this name is another page, the same page, or refused.
      await requestLandingPageCreation(t, { business_name: name })
      const isListed = (list: Exchange) => findItem(list, createdIdIn(created) ?? '') !== undefined
      const list = await pollForEffect(
        t,
        { kind: 'list', what: `the site "${name}"`, source: 'listLandingPages', cause: created },
        async () => assumeAccepted(await t.call('listLandingPages')),
        isListed,
      )
      assumePresent(isListed(list) || undefined, 'the new site in the list')
    }),
]

/** Number of further requests for a file, each on a new connection, which may reach another process of its host. */
const otherProcesses = 8

/** The URL of the file that a generation has returned. */
function fileUrl(t: TestContext, exchange: Exchange): URL {
  const address = valueAtPath(assumeAccepted(exchange).json, 'url')
  const url = URL.parse(
    assumePresent(typeof address === 'string' ? address : undefined, 'url'),
    `${t.target.baseUrl}/`,
  )
  if (!url) throw new Violation('a URL', JSON.stringify(address), exchange)
  return url
}

/** The answer to a request for the url, without credentials or else with the key; no status: it cannot be reached. */
async function fetchFile(t: TestContext, url: URL): Promise<{ status?: number; length: number }> {
  const request = async (headers: Record<string, string>) => {
    const response = await t.target.transport(url.href, {
      method: 'GET',
      headers,
      signal: AbortSignal.timeout(t.settings.timeout),
      fresh: true,
    })
    const { text } = await readResponseBody(response)
    return { status: response.status, length: text.length }
  }
  try {
    const seen = await request({})
    const sameOrigin = url.origin === new URL(t.target.baseUrl).origin
    return seen.status < 400 || !sameOrigin
      ? seen
      : await request({ authorization: `Bearer ${t.settings.apiKey}` })
  } catch {
    return { length: 0 }
  }
}

/** Generations requested at once. */
const atOnce = 3

/** Requirements on what the generation of creatives (images for advertisements) returns and costs. */
export const creativeRequirements: Requirement[] = [
  must('CREATIVE-ATOMIC', '§4, §8.2', 'generateCreative', {
    retryOnViolation: true,
    isRace: true,
    cost: 2,
    needs: ['state:credits'],
  })
    .tests('billing-unavoidable', 'generate-creative', 'creative-cost', 'prices')
    .states('Of several simultaneous generations, no more succeed than there are credits.')
    .experiment('moment', async (t) => {
      const { before, exchange, after } = await requestFirstGeneration(t)
      assumeAccepted(exchange)
      if (creditsSpentBetween(before, after) !== 1) {
        // Alone, no other generation explains it.
        if (t.run.exclusive && !t.run.isViolated('CREATIVE-COSTS-ONE'))
          await expectSpent(t, 1, { before, after }, 'by the generation', exchange)
        throw new NotExercised('a generation does not cost one credit')
      }
      t.budget.allow(1)
      const answers = await withCreditsSet(t, 1, async () => {
        const prompts = Array.from({ length: atOnce }, () => t.name('A blue square'))
        const callerOf = await createAlternatingClientSelector(t)
        const answers = await Promise.all(
          prompts.map((prompt, i) => callerOf(i).call('generateCreative', { body: { prompt } })),
        )
        t.budget.spend(Math.max(answers.filter(hasSuccessStatus).length, 1))
        if (answers.every((one) => isAllowedRefusal(one, documentedRefusals.noCredits)))
          await expectLastCredit(t)
        return answers
      })
      const made = answers.filter(hasSuccessStatus)
      if (made.length > 1) await assumeBalanceUndisturbed(t)
      const actual = `${made.length} of ${atOnce} succeeded`
      expectThat(made.length <= 1, 'at most 1 success with 1 credit', actual, ...answers)
    }),

  must('CREATIVE-UNIQUE', '§4', 'generateCreative')
    .tests('ids', 'creative-fields', 'generate-creative')
    .explainsBalances('CREATIVE-REFUND')
    .states('Each generation has a unique artifactId.')
    .seen('second generation', { supply: 20, shownBy: 'CREATIVE-ATOMIC' }),

  must('ODD-FIELDS-generateCreative', '§4', 'generateCreative', { ...paid, cost: 2 })
    .tests('odd-input', 'malformed-input', 'generate-creative', 'creative-options')
    .states('generateCreative with its optional fields is accepted, or rejected as bad input.')
    .experiment('condition', async (t) => {
      assumeAccepted((await requestFirstGeneration(t)).exchange)
      expectEachRefused(
        await requestGenerationsWithAllFields(t),
        allowRefusalOrSuccess(documentedRefusals.badInput),
      )
    }),

  must('ODD-FIELDS-createLandingPage', '§4', 'createLandingPage', { writes: true })
    .tests('odd-input', 'malformed-input', 'create-landing-page')
    .states('createLandingPage with its optional fields is accepted, or rejected as bad input.')
    .judged(async (t) => {
      await assumePositiveControl(t, 'createLandingPage')
      return [(await createFullLandingPage(t)).exchange]
    }, 'exchange'),

  must('INSIGHTS-RANGE', '§4', 'getInsights')
    .tests('get-insights', 'insights-ranges')
    .explains('QUERY-TWICE-getInsights')
    .states('Insights for a range return a success or reject the range as bad input.')
    .judged(async (t) => {
      await assumePositiveControl(t, 'getInsights')
      const ranges = ['last_30d', 'no such range']
      return Promise.all(ranges.map((range) => t.call('getInsights', { query: { range } })))
    }, 'exchange'),
]
