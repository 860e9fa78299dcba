/** All commands of the search, and the kinds of workers that draw them. */

import type { StepTenant } from '../../step.ts'
import type { Command } from '../generator.ts'
import { burstCommands } from './bursts.ts'
import { delayedEffectCommands, duringRunCommands, waitCommands } from './delayed.ts'
import { foreignAccessCommands } from './foreign-access.ts'
import { keyCommands, notificationCommands } from './notifications.ts'
import { creativeCommands, landingPageCommands, runCommands } from './runs.ts'
import { documentCommands, invalidRequestCommands, taskCommands } from './tasks.ts'

/** Commands that cost nothing, by subject. */
const freeCommands: readonly (readonly Command[])[] = [
  ...[taskCommands, documentCommands, keyCommands, notificationCommands],
  ...[landingPageCommands, invalidRequestCommands, burstCommands, foreignAccessCommands],
]
/** Commands that draw other commands while a run is pending. */
const commandsDuringRun = duringRunCommands([...freeCommands.flat(), ...runCommands, ...creativeCommands])
const paidCommands: readonly (readonly Command[])[] = [
  runCommands,
  runCommands,
  creativeCommands,
  burstCommands,
  burstCommands,
  foreignAccessCommands,
  commandsDuringRun,
]

/** A kind of worker: the commands and the organizations that it draws cases from. */
export interface WorkerKind {
  /** Groups of commands: each case draws from one of them. */
  readonly main: readonly (readonly Command[])[]
  /** Groups of commands: each case also draws from up to two of them. */
  readonly subjects: readonly (readonly Command[])[]
  /** The usual organization, then the occasional one. */
  readonly tenants: readonly StepTenant[]
  readonly spendsCredits: boolean
}

/**
 * The parallel clients of a search, by kind: the first mostly waits for delayed effects, the next two start runs and wait
 * for them, and the others send free requests meanwhile.
 */
export const parallelClientKinds: readonly WorkerKind[] = [
  {
    main: [delayedEffectCommands],
    subjects: [delayedEffectCommands],
    tenants: ['main', 'other'],
    spendsCredits: true,
  },
  {
    main: paidCommands,
    subjects: [...freeCommands, ...paidCommands],
    tenants: ['main', 'other'],
    spendsCredits: true,
  },
  {
    main: [...paidCommands, delayedEffectCommands],
    subjects: [...paidCommands, delayedEffectCommands],
    tenants: ['other'],
    spendsCredits: true,
  },
  { main: freeCommands, subjects: freeCommands, tenants: ['main', 'other'], spendsCredits: false },
  { main: freeCommands, subjects: freeCommands, tenants: ['main', 'other'], spendsCredits: false },
]

/** Every command that the cases of a search are drawn from. */
export const searchCommands: readonly Command[] = [
  ...new Set([...freeCommands, ...paidCommands, delayedEffectCommands].flat()),
  ...waitCommands,
]
