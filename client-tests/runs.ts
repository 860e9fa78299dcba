/** The runs that a client started, each with the later requests about its task. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { isCut, isSuccess, startsRun, taskOf, until } from './entries.ts'

/** One run that was accepted. */
interface StartedRun {
  /** The request that started it, perhaps answered `busy`. */
  readonly run: JournalEntry
  /** Later requests about that task: polls by its id, and further runs. */
  readonly later: readonly JournalEntry[]
  /** The polls among them, up to the next run. */
  readonly looks: readonly JournalEntry[]
}

/** The requests about each task, in order; without tasks whose answers were too long for the journal. */
export function byTask(entries: readonly JournalEntry[]): JournalEntry[][] {
  return [...Map.groupBy(entries, taskOf)].flatMap(([task, about]) =>
    task === undefined || about.some(({ answer }) => isCut(answer)) ? [] : [about],
  )
}

/** The polls of a task after a request about it, up to the next run. */
export function looksAfter(about: readonly JournalEntry[], i: number): readonly JournalEntry[] {
  return until(about.slice(i + 1), ({ operation }) => operation === 'runTask')
}

/** What was accepted in a history: several rules ask. */
const known = new WeakMap<readonly JournalEntry[], readonly StartedRun[]>()

/** Every run that was accepted, task by task. */
export function acceptedRuns(entries: readonly JournalEntry[]): readonly StartedRun[] {
  const found =
    known.get(entries) ??
    byTask(entries).flatMap((about) =>
      about.flatMap((run, i) =>
        startsRun(run) || (run.operation === 'runTask' && isSuccess(run))
          ? [{ run, later: about.slice(i + 1), looks: looksAfter(about, i) }]
          : [],
      ),
    )
  known.set(entries, found)
  return found
}

/** The accepted runs that did not finish at once. */
export function startedRuns(entries: readonly JournalEntry[]): StartedRun[] {
  return acceptedRuns(entries).filter(({ run }) => startsRun(run))
}
