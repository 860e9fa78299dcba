/** What is tried to show a violation again: few steps first, then whole cases, then the same many times. */

import { changes, isBalance } from './closure.ts'
import type { Origin } from './origin.ts'
import { comparesBalances } from './pauses.ts'
import { repeated } from './repeated.ts'
import { costOf, durationOf } from './replay.ts'
import type { Bursts, Slices } from './slice.ts'
import type { Step } from './step.ts'
import { mergedClients, withCredits, withNeighbours, withPause } from './trim.ts'

/** A list of steps that may suffice. */
export interface Rung {
  readonly slice: Exclude<keyof Slices, 'isAboutKeys'>
  /** With the requests of bursts one after the other, or only those together that are cited or paid; otherwise whole. */
  readonly bursts?: Bursts
  /** With the key of the operator in place of created ones. */
  readonly merged?: true
  /** With another thing beside each that is made. */
  readonly beside?: true
  /** With pauses as long as they were; otherwise with short ones. */
  readonly slow?: true
  /** With a long pause before the last paid request, or before the last step. */
  readonly aged?: true
  /** As often as this, as far as requests and time allow. */
  readonly times?: number
  /** What is repeated: all, all up to the last change, or the last step. */
  readonly repeat?: 'all' | 'changes' | 'last'
}

/** What is tried: few steps within few requests, then many; a later violation of the same requirement begins elsewhere. */
export interface Ladder {
  readonly few: readonly Rung[]
  readonly many: readonly (readonly Rung[])[]
}

/** For balances: all that was paid may matter. */
const forBalances: Ladder = {
  few: [
    { slice: 'cited', bursts: 'apart', merged: true },
    { slice: 'single', bursts: 'apart', merged: true },
    { slice: 'trail', bursts: 'apart', merged: true },
    { slice: 'trail', bursts: 'together', merged: true },
    { slice: 'around', bursts: 'apart', merged: true },
    { slice: 'single', bursts: 'apart', merged: true, aged: true },
    { slice: 'single', bursts: 'apart', merged: true, slow: true },
    { slice: 'cited' },
    { slice: 'kinds', bursts: 'apart', merged: true, times: 8, repeat: 'changes' },
    { slice: 'things', bursts: 'apart' },
    { slice: 'things', bursts: 'together', merged: true },
    { slice: 'kindred', bursts: 'apart', merged: true },
    { slice: 'things', bursts: 'apart', aged: true },
  ],
  many: [
    [
      { slice: 'akin', bursts: 'apart', merged: true },
      { slice: 'touched', bursts: 'apart', merged: true, slow: true },
      { slice: 'cited', bursts: 'apart', merged: true, times: 4, repeat: 'changes' },
      { slice: 'between', merged: true },
      { slice: 'things', slow: true },
      { slice: 'between' },
      { slice: 'whole' },
    ],
    [
      { slice: 'touched', bursts: 'apart', merged: true, slow: true },
      { slice: 'cited', bursts: 'apart', times: 4, repeat: 'changes' },
      { slice: 'kindred' },
      { slice: 'cited', slow: true },
      { slice: 'akin', bursts: 'apart' },
      { slice: 'whole', slow: true },
    ],
    [
      { slice: 'single', bursts: 'apart', times: 8, repeat: 'changes' },
      { slice: 'near', times: 3, repeat: 'all' },
      { slice: 'akin', times: 2, repeat: 'changes' },
      { slice: 'recent' },
    ],
  ],
}

/** For all else: mostly what was done to the same things, or just before. */
const forThings: Ladder = {
  few: [
    { slice: 'cited', bursts: 'apart', merged: true },
    { slice: 'cited', bursts: 'together', merged: true },
    { slice: 'cited', bursts: 'apart', slow: true, times: 2, repeat: 'last' },
    { slice: 'namesakes', bursts: 'apart', merged: true },
    { slice: 'near', merged: true, beside: true },
    { slice: 'cited', merged: true },
    { slice: 'kindred', bursts: 'apart', merged: true },
    { slice: 'touched', bursts: 'apart', merged: true, slow: true },
    { slice: 'cited' },
    { slice: 'things', bursts: 'apart', slow: true, times: 2, repeat: 'last' },
    { slice: 'things', bursts: 'apart', merged: true, beside: true },
    { slice: 'things', bursts: 'apart', aged: true, times: 3, repeat: 'last' },
  ],
  many: [
    [
      { slice: 'between', merged: true },
      { slice: 'last', times: 40, repeat: 'last' },
      { slice: 'cited', bursts: 'apart', merged: true, times: 12, repeat: 'all' },
      { slice: 'akin', bursts: 'apart', merged: true },
      { slice: 'whole' },
    ],
    [
      { slice: 'touched', slow: true },
      { slice: 'kindred' },
      { slice: 'between' },
      { slice: 'whole', slow: true },
      { slice: 'kindred', times: 4, repeat: 'changes' },
      { slice: 'akin' },
    ],
    [
      { slice: 'things', times: 8, repeat: 'all' },
      { slice: 'recent' },
      { slice: 'whole', times: 3, repeat: 'all' },
      { slice: 'near', times: 6, repeat: 'all' },
    ],
  ],
}

export const ladderFor = (rule: string): Ladder => (comparesBalances(rule) ? forBalances : forThings)

/** The lists of a rung, with their credits; `next` numbers new steps. */
export function listsOf(
  { slice, merged, beside, aged, slow, times = 1, repeat }: Rung,
  slices: Slices,
  limits: { readonly requests: number; readonly ms: number },
  { next, gaps }: Pick<Origin, 'next' | 'gaps'>,
): readonly Step[][] {
  const lists = slice === 'single' || slice === 'kinds' ? slices[slice] : [slices[slice]]
  // Pauses take most of the time.
  return lists.slice(0, aged || slow ? 1 : undefined).map((list) => {
    const clients = merged && !slices.isAboutKeys ? mergedClients(list) : list
    const things = beside ? withNeighbours(clients, next) : clients
    const [before, middle, after] = partsOf(things, repeat) as [Step[], Step[], Step[]]
    const rest = [...before, ...after]
    const left = { requests: limits.requests - costOf(rest), ms: limits.ms - durationOf(rest) }
    const many = repeated(middle, most(middle, times, left), next)
    const all = withCredits([...before, ...many, ...after], next)
    const pausedBefore = repeat === 'last' ? many[1] : undefined
    return aged ? withPause(all, gaps.longest, next, pausedBefore) : all
  })
}

/** How often steps may be repeated. */
function most(steps: readonly Step[], times: number, { requests, ms }: { requests: number; ms: number }) {
  const fit = Math.min(requests / Math.max(costOf(steps), 1), ms / Math.max(durationOf(steps), 1))
  return Math.max(1, Math.min(times, Math.floor(fit)))
}

/** What comes before the steps that are repeated, these, and what comes after. */
function partsOf(steps: readonly Step[], repeat: Rung['repeat']): Step[][] {
  if (repeat === undefined) return [[...steps], [], []]
  const end = repeat === 'changes' ? steps.findLastIndex(changes) + 1 : steps.length
  const start = repeat === 'last' ? steps.length - 1 : 0
  const middle = steps.slice(start, end)
  // A balance that is set in between would hide what came before.
  const repeatable = repeat === 'changes' ? middle.filter((step) => !isBalance(step)) : middle
  return [steps.slice(0, start), repeatable, steps.slice(end)]
}
