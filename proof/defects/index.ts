/** Every defect, by its id. */
import { matchesPattern } from '#contract-tests/runner/selection.ts'
import { answerFieldDefects, answerFormDefects } from './answers.ts'
import { concurrencyDefects } from './at-once.ts'
import { authenticationDefects } from './authentication.ts'
import { busyAgentDefects } from './busy.ts'
import { creditDefects } from './credits.ts'
import type { Defect } from './defect.ts'
import { documentDefects } from './documents.ts'
import { extendedRouteDefects } from './extended.ts'
import { frameworkDefects } from './frameworks.ts'
import { inputDefects } from './input.ts'
import { isolationDefects } from './isolation.ts'
import { keyDefects } from './keys.ts'
import { limitDefects, refusalWithEffectDefects } from './limits.ts'
import { noCreditDefects } from './no-credits.ts'
import { notificationDefects } from './notifications.ts'
import { proxyDefects } from './path.ts'
import { runDefects } from './runs.ts'
import { staleAnswerDefects, taskDefects } from './tasks.ts'

/** All defects that the proof tries, in the order of `PROOF.md`. */
export const defects: readonly Defect[] = [
  answerFormDefects,
  answerFieldDefects,
  authenticationDefects,
  keyDefects,
  taskDefects,
  documentDefects,
  staleAnswerDefects,
  inputDefects,
  frameworkDefects,
  runDefects,
  busyAgentDefects,
  notificationDefects,
  creditDefects,
  noCreditDefects,
  concurrencyDefects,
  extendedRouteDefects,
  isolationDefects,
  limitDefects,
  refusalWithEffectDefects,
  proxyDefects,
]
  .flat()
  .toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** Creates the changes of a mock that give it the defects with these ids. @throws Error if there is no such defect. */
export const mutationsOfDefects = (...ids: readonly string[]) =>
  ids.map((id) => {
    const defect = defects.find((one) => one.id === id)
    if (!defect) throw new Error(`there is no defect ${id}`)
    return defect.mutate()
  })

/** The ids of the defects that violate a requirement. */
export const defectIdsBreaking = (requirement: string): string[] =>
  defects.filter(({ breaks }) => breaks.some((one) => matchesPattern(requirement, one))).map(({ id }) => id)
