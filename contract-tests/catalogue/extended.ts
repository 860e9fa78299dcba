/** §4 Extended route set: judged where it is offered. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { brief, field, isAccepted } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../client/finding.ts'
import { throwIfAbsent, twin } from '../evidence/calls.ts'
import { failedGeneration, generation } from '../evidence/creatives.ts'
import { expectSpent, needCredits, readCredits, restingCredits } from '../evidence/credits.ts'
import { isBusy } from '../evidence/runs.ts'
import type { TestContext } from '../harness/context.ts'
import { expectThat, need, needAccepted, needItems, needRefused, refusals } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'

const paid = { writes: true, alone: true, quiet: true, cost: 1 } as const

export const extended: Requirement[] = [
  probe(
    'EXTENDED-OFFERED',
    'MUST',
    '§1',
    null,
    'Where the extended route set is declared as offered, each of its routes is there.',
    async (t) => {
      if (t.settings.extended !== 'on')
        throw new NotApplicable('the extended route set is not declared as offered (--extended on)')
      for (const operation of operationIds.filter((id) => routeOf(id).set === 'extended')) {
        const ask = operation === 'generateCreative' || operation === 'createLandingPage' ? { body: '{' } : {}
        const exchange = await t.call(operation, ask)
        if (exchange.status === 404)
          throw new Violation(`${operation} to be offered`, brief(exchange), exchange)
      }
    },
  ),

  probe(
    'CREATIVE-ACCEPTED',
    'MUST',
    '§4',
    'generateCreative',
    'With a credit to spend, a generation with a prompt alone is not refused.',
    async (t) => {
      const { before, exchange } = await generation(t)
      if (isAccepted(exchange)) return
      // A generation may fail by itself, or have to wait its turn: neither is a refusal.
      if (exchange.status >= 500 || isBusy(exchange))
        throw new NotExercised(`the generation failed or had to wait (${brief(exchange)})`)
      throw new Violation(`a success, with ${before} credits`, brief(exchange), exchange)
    },
    paid,
  ),

  probe(
    'CREATIVE-COSTS-ONE',
    'MUST',
    '§4, §8.2',
    'generateCreative',
    'A generation costs exactly one credit.',
    async (t) => {
      const { before, exchange, after } = await generation(t)
      needAccepted(exchange)
      await expectSpent(t, 1, { before, after }, 'by the generation', exchange)
    },
    paid,
  ),

  probe(
    'CREATIVE-REFUSED-FREE',
    'MUST',
    '§8.2',
    'generateCreative',
    'A generation that is refused as bad input costs nothing.',
    async (t) => {
      needAccepted((await generation(t)).exchange)
      await needCredits(t, 1)
      t.budget.allow(1)
      const before = await readCredits(t)
      const exchange = await t.call('generateCreative', { body: {} })
      if (isAccepted(exchange)) t.budget.spend(1)
      needRefused(exchange, refusals.badInput)
      const after = await restingCredits(t)
      await expectSpent(t, 0, { before, after }, 'by the refused generation', exchange)
    },
    { ...paid, cost: 2 },
  ),

  probe(
    'CREATIVE-HOSTED',
    'MUST',
    '§4',
    'generateCreative',
    'The generated result is hosted at its url.',
    async (t) => {
      const { exchange } = await generation(t)
      const address = field(needAccepted(exchange).json, 'url')
      const url = URL.parse(
        need(typeof address === 'string' ? address : undefined, 'url'),
        `${t.target.baseUrl}/`,
      )
      if (!url) throw new Violation('a URL', JSON.stringify(address), exchange)
      const status = await fetchStatus(t, url)
      if (status === undefined) throw new NotExercised(`${url.host} cannot be reached from here`)
      expectThat(status >= 200 && status < 400, `${url.pathname} to be served`, String(status), exchange)
    },
    paid,
  ),

  probe(
    'CREATIVE-REFUND',
    'MUST',
    '§4',
    'generateCreative',
    'A generation that fails gives its credit back, once.',
    async (t) => {
      const { before, exchange, after, later } = await failedGeneration(t)
      await expectSpent(t, 0, { before, after }, 'by a generation that failed', exchange)
      await expectSpent(t, 0, { before, after: later }, 'a moment later', exchange)
    },
    { ...paid, needs: ['state:next_creative_fails'] },
  ),

  probe(
    'LANDING-PAGE-LISTED',
    'SHOULD',
    '§4',
    'listLandingPages',
    'A created landing page is listed.',
    async (t) => {
      await twin(t, 'listLandingPages')
      const name = t.name('Site')
      const created = await t.call('createLandingPage', { body: { business_name: name } })
      throwIfAbsent(t, 'createLandingPage', created)
      needAccepted(created)
      const list = needAccepted(await t.call('listLandingPages'))
      const id = field(created.json, 'id')
      const listed = needItems(list).some(
        (item) => (id !== undefined && field(item, 'id') === id) || JSON.stringify(item).includes(name),
      )
      expectThat(listed, `the new site "${name}" in items`, `${needItems(list).length} other items`, list)
    },
    { writes: true, alone: true, quiet: true },
  ),
]

/** Whether the url is served, without credentials or else with the key; undefined where it cannot be reached. */
async function fetchStatus(t: TestContext, url: URL): Promise<number | undefined> {
  const ask = async (headers: Record<string, string>) => {
    const response = await t.target.transport(url.href, {
      method: 'GET',
      headers,
      signal: AbortSignal.timeout(t.settings.timeout),
    })
    await response.arrayBuffer()
    return response.status
  }
  try {
    const status = await ask({})
    const sameOrigin = url.origin === new URL(t.target.baseUrl).origin
    return status < 400 || !sameOrigin ? status : await ask({ authorization: `Bearer ${t.settings.apiKey}` })
  } catch {
    return undefined
  }
}
