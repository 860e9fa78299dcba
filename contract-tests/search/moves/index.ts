/** Every move of the search. */
import type { Move } from '../draw.ts'
import type { Tenant } from '../step.ts'
import { bursts } from './bursts.ts'
import { elsewhere } from './elsewhere.ts'
import { later, meanwhile, waits } from './later.ts'
import { keys, notifications } from './notifications.ts'
import { creatives, pages, runs } from './runs.ts'
import { documents, refused, tasks } from './tasks.ts'

/** The moves by subject: those that spend credits, and those that cost nothing. */
const free: readonly (readonly Move[])[] = [
  ...[tasks, documents, keys, notifications],
  ...[pages, refused, bursts, elsewhere],
]
/** What may be done during a run. */
const during = meanwhile([...free.flat(), ...runs, ...creatives])
const paid: readonly (readonly Move[])[] = [runs, runs, creatives, bursts, bursts, elsewhere, during]

/** What a worker draws its cases from. */
export interface WorkerKind {
  /** One of these is a subject of each case. */
  readonly main: readonly (readonly Move[])[]
  /** And up to two of these. */
  readonly subjects: readonly (readonly Move[])[]
  /** Whose turn it is mostly, and whose now and then. */
  readonly tenants: readonly Tenant[]
  readonly paid: boolean
}

/** The workers. The first one mostly waits, the next two wait for runs; the others go on meanwhile. */
export const workerKinds: readonly WorkerKind[] = [
  { main: [later], subjects: [later], tenants: ['main', 'other'], paid: true },
  { main: paid, subjects: [...free, ...paid], tenants: ['main', 'other'], paid: true },
  { main: [...paid, later], subjects: [...paid, later], tenants: ['other'], paid: true },
  { main: free, subjects: free, tenants: ['main', 'other'], paid: false },
  { main: free, subjects: free, tenants: ['main', 'other'], paid: false },
]

export const moves: readonly Move[] = [...new Set([...free, ...paid, later].flat()), ...waits]
