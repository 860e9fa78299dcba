/** The extended route set: creatives, landing pages, and what is only read. */
import type { Draw, Move } from '../draw.ts'
import type { CallStep, Step } from '../step.ts'
import { drawText } from '../texts.ts'

/** A request that generates a creative. */
export const newCreative = (d: Draw): CallStep =>
  d.call('generateCreative', { body: { prompt: drawText(d.random, 'Prompt').slice(0, 150) } })

const whenOffered = (draw: (d: Draw) => readonly Step[]) => (d: Draw) => (d.offers.extended ? draw(d) : [])

const whenPaid = (draw: (d: Draw) => readonly Step[]) => whenOffered((d) => (d.paid ? draw(d) : []))

export const creatives: readonly Move[] = [
  {
    id: 'creatives',
    weight: 1.5,
    draw: whenPaid((d) => [
      d.call('whoami'),
      ...Array.from({ length: d.times(5) }, () => [newCreative(d), ...d.balance()]).flat(),
      ...d.settled(),
    ]),
  },
  {
    id: 'failing creatives',
    weight: 1.5,
    draw: whenPaid((d) => {
      const failures = Array.from({ length: 1 + d.times(5) }, () => [
        ...d.state('next_creative_fails'),
        newCreative(d),
        ...d.balance(),
        ...(d.random.chance(0.3) ? [newCreative(d)] : []),
      ])
      return d.thenSettled([d.call('whoami'), ...failures.flat()])
    }),
  },
]

export const pages: readonly Move[] = [
  {
    id: 'landing pages',
    weight: 1,
    draw: whenOffered((d) => {
      const known = d.random.chance(0.5) ? d.thing('page') : undefined
      const business_name = known?.name ?? `Business ${d.random.below(1_000)} {tag}`
      const page = () => d.call('createLandingPage', { body: { business_name } })
      return [...Array.from({ length: d.times(3) }, page), d.call('listLandingPages')]
    }),
  },
  { id: 'billing', weight: 0.5, draw: whenOffered((d) => [d.call('getBilling')]) },
]
