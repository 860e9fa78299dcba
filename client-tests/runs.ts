/** The runs that a client started, each with what it asked about that task afterwards. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { isAccepted, isCut, taskOf, until } from './entries.ts'

/** One run that was accepted. */
export interface StartedRun {
  /** The request that started it; it may have been answered `busy`. */
  readonly run: JournalEntry
  /** What was asked about that task afterwards: looks by its id, and further runs. */
  readonly later: readonly JournalEntry[]
  /** The looks among them, up to the next run. */
  readonly looks: readonly JournalEntry[]
}

/** Requests about each task by its id, in order; without tasks whose answers were too long to keep. */
export function byTask(entries: readonly JournalEntry[]): JournalEntry[][] {
  return [...Map.groupBy(entries, taskOf)].flatMap(([task, about]) =>
    task === undefined || about.some(({ answer }) => isCut(answer)) ? [] : [about],
  )
}

/** The looks at a task after a request about it, up to the next run. */
export function looksAfter(about: readonly JournalEntry[], i: number): readonly JournalEntry[] {
  return until(about.slice(i + 1), ({ operation }) => operation === 'runTask')
}

/** Every run that was accepted, task by task. */
export function startedRuns(entries: readonly JournalEntry[]): StartedRun[] {
  return byTask(entries).flatMap((about) =>
    about.flatMap((run, i) =>
      isAccepted(run) ? [{ run, later: about.slice(i + 1), looks: looksAfter(about, i) }] : [],
    ),
  )
}
