/** §4, §2: answers that differ as the specification allows, and clients that must accept them. */
import { routeOf } from '#contract/operation.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { answerOf, isAnswered, isCut, isSuccess, pathOf, reportsFinished } from '../entries.ts'
import type { Context, Rule, Situation } from '../rule.ts'

type Entries = readonly JournalEntry[]

/** Fields of the first shape that the second does not have. */
const missing: Readonly<Record<string, string>> = {
  listTasks: 'credits',
  createTask: 'credits',
  runTask: 'taskId',
}

/** Whether an answer has the second of two shapes, and not the fields of both. */
function isSecondShape(entry: JournalEntry): boolean {
  const field = missing[entry.operation ?? '']
  if (field === undefined || !isSuccess(entry)) return false
  return isCut(entry.answer) ? entry.variant === 'second' : !Object.hasOwn(answerOf(entry), field)
}

/** What is in an answer, beside its shape, that a client may not know. */
export function surprisesIn(entry: JournalEntry): string[] {
  if (!isSuccess(entry) || entry.operation === null) return []
  const answer = answerOf(entry)
  const { first, second } = routeOf(entry.operation).answer
  const extra = Object.keys(answer).filter((name) => !(name in first.shape) && !(name in second.shape))
  const { org, plan } = answer
  return [
    ...extra.map((name) => `the field ${name}`),
    ...(typeof org === 'object' && org !== null && Reflect.get(org, 'name') === null
      ? ['an org.name of null']
      : []),
    ...(typeof plan === 'object' && plan !== null ? ['a plan that is an object'] : []),
    ...(entry.status === 200 ? [] : [`the status ${entry.status}`]),
  ]
}

/** An id in a path that was built from a missing field. */
const madeOfNothing = /\/(?:undefined|null|NaN|%5Bobject%20Object%5D)(?:\/|$)/

/** Whether the client stopped at an answer: it ended with an error although every answer was a success. */
function brokeOff(entries: Entries, entry: JournalEntry, { end }: Context): boolean {
  const wentWell = entries.every((one) => one.status < 400 && isAnswered(one))
  return end?.ok === false && entry === entries.at(-1) && wentWell && !reportsFinished(entry)
}

/** Whether the client continued after an answer. */
function wentOn(entries: Entries, entry: JournalEntry, { end }: Context): boolean {
  return entry !== entries.at(-1) || end?.ok === true
}

export const eitherShape: Rule = {
  id: 'tolerates-variants',
  level: 'MUST',
  section: '§4',
  statement: 'A client accepts the answers of both variants and picks the fields that it knows.',
  needs: 'an answer of the second shape on listing, creating or running tasks',
  fix: 'Read the task id from your own request and the credits from whoami where an answer does not have them.',
  judge: (entries, context) =>
    entries.filter(isSecondShape).flatMap((entry): Situation[] => {
      const next = entries[entries.indexOf(entry) + 1]
      if (next && madeOfNothing.test(pathOf(next)))
        return [
          { evidence: [entry, next], violation: 'built a path from a field that only the other shape has' },
        ]
      if (brokeOff(entries, entry, context))
        return [{ evidence: [entry], violation: 'stopped at an answer of the other shape' }]
      return wentOn(entries, entry, context) ? [{ evidence: next ? [entry, next] : [entry] }] : []
    }),
}

export const extraFields: Rule = {
  id: 'tolerates-extras',
  level: 'SHOULD',
  section: '§2, §4',
  statement: 'A client accepts unknown fields and values in an answer.',
  needs: 'an answer with a field, a status or a type of value that the specification leaves open',
  fix: 'Read what you need and ignore the rest; do not refuse unknown fields, a null name, a plan that is an object, or a 201.',
  judge: (entries, context) =>
    entries.flatMap((entry): Situation[] => {
      const surprises = surprisesIn(entry)
      if (surprises.length === 0) return []
      if (brokeOff(entries, entry, context) && !isSecondShape(entry))
        return [{ evidence: [entry], violation: `stopped at ${surprises.join(', ')}` }]
      return wentOn(entries, entry, context) ? [{ evidence: [entry] }] : []
    }),
}
