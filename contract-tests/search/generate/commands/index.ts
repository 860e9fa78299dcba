/** All commands of the search, and the kinds of workers that draw them. */

import type { Tenant } from '../../step.ts'
import type { Command } from '../generator.ts'
import { bursts } from './bursts.ts'
import { delayedEffects, duringRun, waits } from './delayed.ts'
import { foreignAccess } from './foreign-access.ts'
import { keys, notifications } from './notifications.ts'
import { creatives, landingPages, runs } from './runs.ts'
import { documents, invalidRequests, tasks } from './tasks.ts'

/** Commands that cost nothing, by subject. */
const freeCommands: readonly (readonly Command[])[] = [
  ...[tasks, documents, keys, notifications],
  ...[landingPages, invalidRequests, bursts, foreignAccess],
]
/** Other commands while a run is pending. */
const commandsDuringRun = duringRun([...freeCommands.flat(), ...runs, ...creatives])
const paidCommands: readonly (readonly Command[])[] = [
  runs,
  runs,
  creatives,
  bursts,
  bursts,
  foreignAccess,
  commandsDuringRun,
]

/** A kind of worker: the commands and the organizations that it draws cases from. */
export interface WorkerKind {
  /** Subjects of which every case has one. */
  readonly main: readonly (readonly Command[])[]
  /** Subjects of which a case has up to two more. */
  readonly subjects: readonly (readonly Command[])[]
  /** The usual organization, then the occasional one. */
  readonly tenants: readonly Tenant[]
  readonly spendsCredits: boolean
}

/** The kind of each worker: the first mostly waits, the next two wait for runs, the others send requests meanwhile. */
export const workerKinds: readonly WorkerKind[] = [
  { main: [delayedEffects], subjects: [delayedEffects], tenants: ['main', 'other'], spendsCredits: true },
  {
    main: paidCommands,
    subjects: [...freeCommands, ...paidCommands],
    tenants: ['main', 'other'],
    spendsCredits: true,
  },
  {
    main: [...paidCommands, delayedEffects],
    subjects: [...paidCommands, delayedEffects],
    tenants: ['other'],
    spendsCredits: true,
  },
  { main: freeCommands, subjects: freeCommands, tenants: ['main', 'other'], spendsCredits: false },
  { main: freeCommands, subjects: freeCommands, tenants: ['main', 'other'], spendsCredits: false },
]

/** Every command that the cases of a search are drawn from. */
export const commands: readonly Command[] = [
  ...new Set([...freeCommands, ...paidCommands, delayedEffects].flat()),
  ...waits,
]
