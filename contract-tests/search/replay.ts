/** Does steps again in a fresh context: things of its own, a tag of its own, and a model that knows nothing else. */
import { routeOf } from '#contract/operation.ts'
import type { ModelViolation, State } from '../model/index.ts'
import { Log } from './log.ts'
import { Play, type Stage } from './play.ts'
import { callsOf, type Step } from './step.ts'

/** What came of it. */
export interface Replay {
  readonly play: Play
  readonly log: Log
  /** The first contradiction of the wanted requirement, or of any. */
  readonly violation: ModelViolation | undefined
  /** Requests that were sent. */
  readonly requests: number
}

/** Requests that steps will send, about. */
export function costOf(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + (step.kind === 'end' ? 1 : callsOf(step).length), 0)
}

/** Credits that steps will spend. */
export function creditsOf(steps: readonly Step[]): number {
  return steps.flatMap(callsOf).filter(({ operation }) => routeOf(operation).cost > 0).length
}

/** Does steps until a requirement is violated. */
export async function replay(
  stage: Stage,
  steps: readonly Step[],
  tag: string,
  requirement: string,
  endings: State['endings'],
): Promise<Replay> {
  const play = new Play(stage, endings)
  const log = new Log()
  play.tag = tag
  stage.wire.listeners.add(play)
  const before = stage.wire.sent
  const found = () => play.violations.find((one) => one.requirement === requirement)
  try {
    for (const step of steps) {
      log.add({ step, ms: stage.t.target.now(), case: 0 })
      await play.perform(step)
      if (found()) break
    }
    await play.tearDown()
  } finally {
    stage.wire.listeners.delete(play)
  }
  return { play, log, violation: found(), requests: stage.wire.sent - before }
}
