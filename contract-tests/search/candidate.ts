/** What shrinking has found to show a violation. */
import type { ModelViolation } from '../model/index.ts'
import type { Replay } from './replay.ts'
import type { Step } from './step.ts'

/** What shrinking came to. */
export interface Shrunk {
  readonly steps: readonly Step[]
  /** How often the steps showed the violation. */
  readonly times: number
  /** Requests that were sent to find out. */
  readonly requests: number
  /** The last time; undefined: never. */
  readonly shown: Shown | undefined
}

/** A replay that showed a violation. */
export type Shown = Replay & { readonly violation: ModelViolation }

/** Steps that showed the violation. */
export interface Candidate {
  readonly tried: readonly Step[]
  /** Of these, those that show it: mostly those up to the violation. */
  steps: readonly Step[]
  shown: Shown
  times: number
}

/** Requests of a history that need not become fewer. */
const fewEnough = 6

export const isFew = ({ shown }: Candidate) => shown.requests <= fewEnough
