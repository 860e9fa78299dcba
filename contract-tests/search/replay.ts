/** Does steps again in a fresh context: things of its own, a tag of its own, and a model that knows nothing else. */
import { routeOf } from '#contract/operation.ts'
import type { ModelViolation, State } from '../model/index.ts'
import type { AssumedLateness } from './assumed-lateness.ts'
import { deleteKeys } from './clean-up.ts'
import { Log } from './log.ts'
import { Play } from './play.ts'
import type { Stage } from './stage.ts'
import { callsOf, type Step } from './step.ts'
import { wordsBeforeStep } from './words.ts'

/** What came of it. */
export interface Replay {
  readonly play: Play
  readonly log: Log
  /** The first contradiction, of the wanted requirement if there is one. */
  readonly violation: ModelViolation | undefined
  /** It is one however late the service may be. */
  readonly isCertain: boolean
  /** Requests that were sent. */
  readonly requests: number
  /** What was possible before each step, in words, by its number. */
  readonly before: ReadonlyMap<number, readonly string[]>
}

/** Requests that steps will send, about. */
export function costOf(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + (step.kind === 'end' ? 1 : callsOf(step).length), 0)
}

/** ms that a request takes, and a run, about. */
const usual = { request: 4, run: 150 } as const

/** How many times as long as expected steps may take. */
const overrun = 4

/** ms that steps will take, about. */
export function durationOf(steps: readonly Step[]): number {
  const each = (step: Step) =>
    step.kind === 'wait' ? step.ms : step.kind === 'end' ? usual.run : usual.request * callsOf(step).length
  return steps.reduce((sum, step) => sum + each(step), 0)
}

/** Credits that steps will spend. */
export function creditsOf(steps: readonly Step[]): number {
  return steps.flatMap(callsOf).filter(({ operation }) => routeOf(operation).cost > 0).length
}

/** How it is judged, and what it leaves. */
export interface ReplayOptions {
  /** An assumption to judge by, too. */
  readonly lateness?: AssumedLateness | undefined
  /** Deletes the keys that it made. */
  readonly deletes?: boolean
}

/** Does steps until a requirement is violated, the wanted one or another. */
export async function replay(
  stage: Stage,
  steps: readonly Step[],
  tag: string,
  requirement: string,
  endings: State['endings'],
  { lateness, deletes }: ReplayOptions = {},
): Promise<Replay> {
  const play = new Play(stage, endings, lateness)
  const log = new Log()
  play.tag = tag
  stage.wire.listeners.add(play)
  const before = new Map<number, readonly string[]>()
  const [sent, kept] = [stage.wire.sent, stage.keys.length]
  const wanted = (one: ModelViolation) => one.requirement === requirement
  const found = () => {
    const { violations, suspicions } = play
    return violations.find(wanted) ?? suspicions.find(wanted) ?? violations[0] ?? suspicions[0]
  }
  const until = stage.t.target.now() + overrun * durationOf(steps) + usual.run
  let violation: ModelViolation | undefined
  try {
    for (const step of steps) {
      before.set(step.at, wordsBeforeStep(play, step))
      log.add({ step, ms: stage.t.target.now(), case: 0 })
      await play.finish(step)
      if (found() || stage.t.target.now() > until) break
    }
    violation = found()
    await play.tearDown()
    await play.calm()
    if (deletes) await deleteKeys(stage, [], kept)
  } finally {
    stage.wire.listeners.delete(play)
  }
  const isCertain = violation !== undefined && play.violations.includes(violation)
  return { play, log, violation, isCertain, requests: stage.wire.sent - sent, before }
}
