/** Every defect, by its id. */
import { matchesPattern } from '#contract-tests/runner/selection.ts'
import { answers, shapes } from './answers.ts'
import { atOnce } from './at-once.ts'
import { authentication } from './authentication.ts'
import { busy } from './busy.ts'
import { credits } from './credits.ts'
import type { Defect } from './defect.ts'
import { documents } from './documents.ts'
import { extended } from './extended.ts'
import { frameworks } from './frameworks.ts'
import { input } from './input.ts'
import { isolation } from './isolation.ts'
import { keys } from './keys.ts'
import { limits, refusals } from './limits.ts'
import { noCredits } from './no-credits.ts'
import { notifications } from './notifications.ts'
import { intermediaries } from './path.ts'
import { runs } from './runs.ts'
import { lists, tasks } from './tasks.ts'

/** Every defect that the proof tries, in the order of its page. */
export const defects: readonly Defect[] = [
  answers,
  shapes,
  authentication,
  keys,
  tasks,
  documents,
  lists,
  input,
  frameworks,
  runs,
  busy,
  notifications,
  credits,
  noCredits,
  atOnce,
  extended,
  isolation,
  limits,
  refusals,
  intermediaries,
]
  .flat()
  .toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** The mutations of the defects with the given ids. @throws Error if there is no such defect. */
export const mutationsOfDefects = (...ids: readonly string[]) =>
  ids.map((id) => {
    const defect = defects.find((one) => one.id === id)
    if (!defect) throw new Error(`there is no defect ${id}`)
    return defect.mutate()
  })

/** The ids of the defects that break a requirement. */
export const defectsThatBreak = (requirement: string): string[] =>
  defects.filter(({ breaks }) => breaks.some((one) => matchesPattern(requirement, one))).map(({ id }) => id)
