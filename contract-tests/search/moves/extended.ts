/** The extended route set: creatives, landing pages, and what is only read. */
import { type Draw, type Move, many, move } from '../draw.ts'
import { drawText } from '../random.ts'
import type { CallStep } from '../step.ts'

/** A request that generates a creative. */
export const newCreative = (d: Draw): CallStep =>
  d.call('generateCreative', { body: { prompt: drawText(d.random, 'Prompt').slice(0, 150) } })

const whenOffered = (id: string, weight: number, draw: Move['draw']): Move =>
  move(id, weight, (d) => (d.offers.extended ? draw(d) : []))

const whenPaid = (id: string, weight: number, draw: Move['draw']): Move =>
  whenOffered(id, weight, (d) => (d.paid ? draw(d) : []))

export const creatives: readonly Move[] = [
  whenPaid('creatives', 1.5, (d) => [
    d.call('whoami'),
    ...many(d.times(5), () => [newCreative(d), ...d.balance()]).flat(),
    ...d.settled(),
  ]),
  whenPaid('failing creatives', 1.5, (d) => {
    const failures = many(1 + d.times(5), () => [
      ...d.state('next_creative_fails'),
      newCreative(d),
      ...d.balance(),
      ...(d.random.chance(0.3) ? [newCreative(d)] : []),
    ])
    return d.thenSettled([d.call('whoami'), ...failures.flat()])
  }),
]

export const pages: readonly Move[] = [
  whenOffered('landing pages', 1, (d) => {
    const known = d.random.chance(0.5) ? d.thing('page') : undefined
    const business_name = known?.name ?? `Business ${d.random.below(1_000)} {tag}`
    const page = () => d.call('createLandingPage', { body: { business_name } })
    return [...many(d.times(3), page), d.call('listLandingPages')]
  }),
  whenOffered('billing', 0.5, (d) => [d.call('getBilling')]),
]
