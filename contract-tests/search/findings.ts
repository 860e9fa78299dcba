/** What a search has found so far: what shows a violation while it is shrunk, and one finding for each requirement. */
import type { Exchange } from '#traffic/exchange.ts'
import type { Settings } from '../harness/terms.ts'
import { attributed, type ModelViolation } from '../model/index.ts'
import type { OtherClients } from './inventory.ts'
import { type Replay, wordsBeforeEach } from './replay.ts'
import type { Step } from './step.ts'
import type { Wire } from './wire.ts'

export interface Finding {
  readonly violation: ModelViolation
  /** Whether it was seen more than once. */
  readonly confirmed: boolean
  /**
   * How: its shrunk history showed it twice in a fresh context; the same was read again, twice; or not at all. The time
   * was over before it could be tried again; or before it was known whether it is more than late (`suspected`).
   */
  readonly how: 'replayed' | 'read again' | 'once' | 'untried' | 'suspected'
  /** How often replays showed it. */
  readonly times: number
  /** It did not show in an organization that nobody had used, so what was there before matters. */
  readonly isHere?: boolean
  /** It showed in an organization that nobody had used. */
  readonly isRooted?: boolean
  /** The shrunk history. */
  readonly steps: readonly Step[]
  /** Requests that were sent to shrink and confirm it. */
  readonly requests: number
  /** The exchanges of the history, the last one contradicting; where it was not replayed, those that contradict each other. */
  readonly evidence: readonly Exchange[]
  /** What was possible before the last step, in words. */
  readonly before: readonly string[]
  /** The same for each of the steps, as their last replay had it or, if none showed the violation, the first time. */
  readonly before_steps: readonly (readonly string[])[]
  /** What shows that somebody else uses the organization; undefined: nothing. */
  readonly disturbed: string | undefined
}

/** A replay that showed a violation. */
export type Shown = Replay & { readonly violation: ModelViolation }

/** Steps that showed the violation, up to it. */
export interface Candidate {
  readonly steps: readonly Step[]
  readonly shown: Shown
  /** How often they showed it for certain. */
  readonly times: number
}

/** Attempts to reproduce violations of one requirement. */
const mostAttempts = 10

export type Findings = ReturnType<typeof createFindings>

/** No findings yet, of a search that sends on a wire. */
export function createFindings(searched: Wire, settings: Settings, otherClients: OtherClients) {
  const found = new Map<string, Omit<Finding, 'disturbed'>>()
  const attempts = new Map<string, number>()
  const attemptsAt = (requirement: string) => attempts.get(requirement) ?? 0
  /** Requirements of the model that a contradiction was confirmed of, under that name or a more exact one. */
  const confirmedOf = new Set<string>()
  return {
    get all(): Finding[] {
      const { noticed } = otherClients
      const disturbed = noticed.get('main') ?? noticed.get('other')
      return [...found.values()].map((one) => ({ ...one, disturbed }))
    },
    /** Whether one was confirmed that somebody else could have caused. */
    get mayBeOfOthers(): boolean {
      return found.values().some(({ confirmed, violation }) => confirmed && violation.others)
    },
    /** Whether a violation is worth trying again. */
    isNews: ({ requirement }: ModelViolation): boolean =>
      !confirmedOf.has(requirement) && attemptsAt(requirement) < mostAttempts,
    /** Counts an attempt to reproduce a violation. */
    attempt: (requirement: string) => void attempts.set(requirement, attemptsAt(requirement) + 1),
    /**
     * Adds a finding; `events`: those that show it; `replay`: the last of its steps that showed it, or where that was
     * reproduced; `stepOf`: the step that brought about an event, where no replay did.
     */
    add(
      violation: ModelViolation,
      counted: Pick<Finding, 'how' | 'times' | 'steps' | 'requests' | 'isHere' | 'isRooted'>,
      events: readonly number[],
      replay?: Replay,
      stepOf: (event: number) => number | undefined = () => undefined,
    ): void {
      const { history, exchanges } = counted.how === 'replayed' && replay ? replay.wire : searched
      const isIn = new Set(events)
      const named = attributed(violation, replay ? history.filter(({ id }) => isIn.has(id)) : [])
      if (found.get(named.requirement)?.confirmed) return
      const confirmed = counted.how === 'replayed' || counted.how === 'read again'
      if (confirmed) confirmedOf.add(violation.requirement)
      const words = wordsBeforeEach(history, settings)
      const before = replay
        ? wordsBeforeSteps(replay, settings)
        : new Map([...words].toReversed().map(([id, text]) => [stepOf(id), text]))
      found.set(named.requirement, {
        ...counted,
        violation: named,
        confirmed,
        evidence: events.flatMap((id) => exchanges.get(id) ?? []),
        before: words.get(violation.because.at(-1) ?? 0) ?? [],
        before_steps: counted.steps.map(({ at }) => before.get(at) ?? []),
      })
    },
  }
}

/** What was possible before each step of a replay, by its number. */
function wordsBeforeSteps({ executor, wire }: Replay, settings: Settings) {
  const own = wire.history.filter(({ id }) => executor.stepOf(id) !== undefined)
  const words = [...wordsBeforeEach(own, settings)].toReversed()
  return new Map(words.map(([id, text]) => [executor.stepOf(id), text]))
}
