/** §4 Extended route set: judged where it is offered. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { throwIfAbsent, twin } from '../evidence/calls.ts'
import { ensureCredits, readCredits, restingCredits, settledCredits } from '../evidence/credits.ts'
import { brief, type Exchange, field, isAccepted, items } from '../exchange.ts'
import { NotApplicable, NotExercised, Violation } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectSame, expectThat, need, needAccepted } from '../words.ts'

const paid = { writes: true, alone: true, quiet: true, cost: 1 } as const

/** One generation, with the balance before and after. */
const generation = (kit: Kit) =>
  kit.evidence('creative', async () => {
    kit.budget.allow(1)
    if ((await ensureCredits(kit, 1)) < 1)
      throw new NotExercised('the organization is out of Work Credits', 'credits, or the state "credits"')
    const before = await readCredits(kit)
    const exchange = await generate(kit)
    return { before, exchange, after: await restingCredits(kit) }
  })

async function generate(kit: Kit): Promise<Exchange> {
  const exchange = await kit.call('generateCreative', { body: { prompt: kit.name('A blue square') } })
  throwIfAbsent(kit, 'generateCreative', exchange)
  if (isAccepted(exchange)) kit.budget.spend(1)
  return exchange
}

/** A generation that was made to fail. */
const failedGeneration = (kit: Kit) =>
  kit.evidence('failed creative', async () => {
    kit.budget.allow(1)
    await ensureCredits(kit, 1)
    const before = await readCredits(kit)
    const exchange = await kit.during('next_creative_fails', {}, () => generate(kit))
    if (isAccepted(exchange))
      throw new NotExercised(
        `the provider's set-up is at fault: with "next_creative_fails" the generation succeeds`,
      )
    return { before, exchange, after: await settledCredits(kit, before) }
  })

export const extended: Requirement[] = [
  probe(
    'EXTENDED-OFFERED',
    'MUST',
    '§1',
    null,
    'Where the extended route set is declared as offered, each of its routes is there.',
    async (kit) => {
      if (kit.settings.extended !== 'on')
        throw new NotApplicable('the extended route set is not declared as offered (--extended on)')
      for (const operation of operationIds.filter((id) => routeOf(id).set === 'extended')) {
        const ask = operation === 'generateCreative' || operation === 'createLandingPage' ? { body: '{' } : {}
        const exchange = await kit.call(operation, ask)
        if (exchange.status === 404)
          throw new Violation(`${operation} to be offered`, brief(exchange), exchange)
      }
    },
  ),

  probe(
    'CREATIVE-COSTS-ONE',
    'MUST',
    '§4, §8.2',
    'generateCreative',
    'A generation costs exactly one credit.',
    async (kit) => {
      const { before, exchange, after } = await generation(kit)
      needAccepted(exchange)
      expectSame(after, before - 1, 'credits', exchange)
    },
    paid,
  ),

  probe(
    'CREATIVE-HOSTED',
    'MUST',
    '§4',
    'generateCreative',
    'The generated result is hosted at its url.',
    async (kit) => {
      const { exchange } = await generation(kit)
      const address = field(needAccepted(exchange).json, 'url')
      const url = URL.parse(
        need(typeof address === 'string' ? address : undefined, 'url'),
        `${kit.target.baseUrl}/`,
      )
      if (!url) throw new Violation('a URL', JSON.stringify(address), exchange)
      const status = await fetchStatus(kit, url)
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
    async (kit) => {
      const { before, exchange, after } = await failedGeneration(kit)
      expectSame(after, before, 'credits', exchange)
    },
    { ...paid, needs: ['state:next_creative_fails'] },
  ),

  probe(
    'LANDING-PAGE-LISTED',
    'SHOULD',
    '§4',
    'listLandingPages',
    'A created landing page is listed.',
    async (kit) => {
      await twin(kit, 'listLandingPages')
      const name = kit.name('Site')
      const created = await kit.call('createLandingPage', { body: { business_name: name } })
      throwIfAbsent(kit, 'createLandingPage', created)
      needAccepted(created)
      const list = needAccepted(await kit.call('listLandingPages'))
      const id = field(created.json, 'id')
      const listed = items(list).some(
        (item) => (id !== undefined && field(item, 'id') === id) || JSON.stringify(item).includes(name),
      )
      expectThat(listed, `the new site "${name}" in items`, `${items(list).length} other items`, list)
    },
    { writes: true },
  ),
]

/** Whether the url is served, without credentials or else with the key; undefined where it cannot be reached. */
async function fetchStatus(kit: Kit, url: URL): Promise<number | undefined> {
  const ask = async (headers: Record<string, string>) => {
    const response = await kit.target.transport(url.href, {
      method: 'GET',
      headers,
      signal: AbortSignal.timeout(kit.settings.timeout),
    })
    await response.arrayBuffer()
    return response.status
  }
  try {
    const status = await ask({})
    const sameOrigin = url.origin === new URL(kit.target.baseUrl).origin
    return status < 400 || !sameOrigin
      ? status
      : await ask({ authorization: `Bearer ${kit.settings.apiKey}` })
  } catch {
    return undefined
  }
}
