/** §4, §2: answers that differ as the specification allows, and clients that must accept them. */
import { routeOf } from '#contract/operation.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import {
  answerJsonOf,
  hasFailedRightAfterAnswer,
  isBodyTruncated,
  isSuccess,
  requestPathOf,
  showsUnknownStatus,
  taskStatusIn,
} from '../entries.ts'
import { type ClientRule, mustRule, type RuleContext, type RuleSituation, shouldRule } from '../rule.ts'

type Entries = readonly JournalEntry[]

/** By operation, a field that only the first shape of its answer has. */
const missing: Readonly<Record<string, string>> = {
  listTasks: 'credits',
  createTask: 'credits',
  runTask: 'taskId',
}

/** True if an answer has only the fields of the second variant of its operation. */
export function hasSecondVariantOnly(entry: JournalEntry): boolean {
  const field = missing[entry.operation ?? '']
  if (field === undefined || !isSuccess(entry)) return false
  return isBodyTruncated(entry.answer)
    ? entry.variant === 'second'
    : !Object.hasOwn(answerJsonOf(entry), field)
}

/** Something in an answer that a client may not expect. */
interface Oddity {
  /** A client that went on after an oddity accepts all oddities of its kind. */
  readonly kind: string
  readonly text: string
}

/** Oddities of an answer other than its shape and the status of a task. */
function surprisesIn(entry: JournalEntry): Oddity[] {
  if (!isSuccess(entry) || entry.operation === null) return []
  const answer = answerJsonOf(entry)
  const { first, second } = routeOf(entry.operation).answer
  const extra = Object.keys(answer).filter((name) => !(name in first.shape) && !(name in second.shape))
  const { org, plan, credits } = answer
  const isNameless = typeof org === 'object' && org !== null && Reflect.get(org, 'name') === null
  return [
    ...extra.map((name) => ({
      kind: `fields ${entry.operation}`,
      text: `the field ${JSON.stringify(name)}`,
    })),
    ...(isNameless ? [{ kind: 'name', text: 'an org.name of null' }] : []),
    ...(typeof plan === 'object' && plan !== null
      ? [{ kind: 'plan', text: 'a plan that is an object' }]
      : []),
    ...(typeof credits === 'number' && !Number.isInteger(credits)
      ? [{ kind: 'credits', text: `a balance of ${credits} credits` }]
      : []),
    ...(isIdNumber(answer) ? [{ kind: 'ids', text: 'an id that is a number' }] : []),
    ...(entry.status === 200 ? [] : [{ kind: `status ${entry.status}`, text: `the status ${entry.status}` }]),
  ]
}

/** The times of a task, whose names and formats the specification leaves open. */
const taskTimes = ['created_at', 'updated_at', 'scheduled_at', 'started_at', 'finished_at'] as const
const isUsualTime = (value: unknown) =>
  value === null || (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value))

/** The oddity of a poll whose task has times under other names or in another format; empty if there is none. */
function timesOf(entry: JournalEntry): Oddity[] {
  const { task } = entry.operation === 'getTask' && isSuccess(entry) ? answerJsonOf(entry) : {}
  if (typeof task !== 'object' || task === null) return []
  const odd = taskTimes.filter((name) => !isUsualTime(Reflect.get(task, name)))
  return odd.length > 0
    ? [{ kind: 'times of a task', text: `other names or formats of ${odd.join(', ')}` }]
    : []
}

/** Fields of an answer that hold something with an id, or a list of such. */
const holders = ['org', 'task', 'item', 'document', 'items'] as const

/** True if an id in an answer is a number. */
const isIdNumber = (answer: Readonly<Record<string, unknown>>): boolean =>
  holders
    .flatMap((name) => answer[name])
    .some((one) => typeof one === 'object' && one !== null && typeof Reflect.get(one, 'id') === 'number')

/** True if an answer has the first variant, and nothing that a client may not expect, such as an unknown field. */
export const hasFirstVariantWithoutOddities = (entry: JournalEntry): boolean =>
  !hasSecondVariantOnly(entry) && surprisesIn(entry).length === 0

/**
 * Matches paths in which the id is missing, such as `/tasks/undefined`, because a client read it from a field that is
 * not there.
 */
export const missingIdPathPattern = /\/(?:undefined|null|NaN|%5Bobject%20Object%5D)(?:\/|$)/

/** The oddity of an answer in the second shape; empty: it has the first. */
const shapeOf = (entry: JournalEntry): Oddity[] =>
  hasSecondVariantOnly(entry) ? [{ kind: `shape ${entry.operation}`, text: 'the other shape' }] : []

/** The oddity of a poll that shows an undocumented status; empty if there is none. */
const statusOf = (entry: JournalEntry): Oddity[] =>
  entry.operation === 'getTask' && showsUnknownStatus(entry)
    ? [{ kind: 'status of a task', text: `the status "${taskStatusIn(entry)}" of the task` }]
    : []

const odditiesIn = (entry: JournalEntry) => [
  ...shapeOf(entry),
  ...statusOf(entry),
  ...surprisesIn(entry),
  ...timesOf(entry),
]

/**
 * The oddities that the client stopped at: the likeliest of the new ones in its last answer; empty if there are none.
 */
function stoppedAt(
  entries: Entries,
  entry: JournalEntry,
  context: RuleContext,
): 'shape' | 'status' | readonly Oddity[] {
  const isUsual = entry.operation === context.run?.stopsAt
  if (isUsual || !hasFailedRightAfterAnswer(entries, entry, context) || isEmptyList(entry)) return []
  const accepted = new Set(entries.slice(0, -1).flatMap((one) => odditiesIn(one).map(({ kind }) => kind)))
  const isNew = ({ kind }: Oddity) => !accepted.has(kind)
  // A client that ignored unknown fields elsewhere ignores them here too.
  const readsFields = [...accepted].some((kind) => kind.startsWith('fields'))
  const times = timesOf(entry).filter(isNew)
  const surprises = [...surprisesIn(entry).filter(isNew), ...times]
  const status = statusOf(entry).filter(isNew)
  if (status.length > 0 && times.length === 0 && (readsFields || surprises.length === 0)) return 'status'
  // A 201 is likelier than the shape, and the shape likelier than another status, if both are new.
  const isShape = shapeOf(entry).some(isNew) && !surprises.some(({ kind }) => kind === 'status 201')
  return isShape ? 'shape' : [...surprises, ...status]
}

/** True if a client ended with an error right after an answer whose only peculiarity is an unknown task status. */
export const hasStoppedAtUnknownStatus = (
  entries: Entries,
  entry: JournalEntry,
  context: RuleContext,
): boolean => stoppedAt(entries, entry, context) === 'status'

/** A client may stop at a list because nothing is in it. */
const isEmptyList = (entry: JournalEntry) => {
  const { items } = answerJsonOf(entry)
  return Array.isArray(items) && items.length === 0
}

/** True if the client continued after an answer. */
const wentOn = (entries: Entries, entry: JournalEntry, { end }: RuleContext): boolean =>
  entry !== entries.at(-1) || end?.ok === true

/** The rule `tolerates-variants`: a client reads answers of both variants. */
export const toleratesVariantsRule: ClientRule = mustRule('tolerates-variants', '§4', {
  statement: 'A client accepts the answers of both variants and picks the fields that it knows.',
  needs: 'an answer of the second shape on listing, creating or running tasks',
  fix: 'Read the task id from your own request and the credits from whoami where an answer does not have them.',
  judge: (entries, context) =>
    entries.filter(hasSecondVariantOnly).flatMap((entry): RuleSituation[] => {
      const next = entries[entries.indexOf(entry) + 1]
      if (next && missingIdPathPattern.test(requestPathOf(next)))
        return [
          { evidence: [entry, next], violation: 'built a path from a field that only the other shape has' },
        ]
      if (stoppedAt(entries, entry, context) === 'shape')
        return [{ evidence: [entry], violation: 'stopped at an answer of the other shape' }]
      return wentOn(entries, entry, context) ? [{ evidence: next ? [entry, next] : [entry] }] : []
    }),
})

/** The rule `tolerates-extras`: a client tolerates unknown fields in answers. */
export const toleratesUnknownFieldsRule: ClientRule = shouldRule('tolerates-extras', '§2, §4', {
  statement: 'A client accepts unknown fields and values in an answer.',
  needs: 'an answer with a field, a status or a type of value that the specification leaves open',
  fix: 'Read what you need and ignore the rest; do not refuse unknown fields, a null name, a plan that is an object, an id that is a number, a time of another name or format, a fraction of a credit, or a 201.',
  judge: (entries, context) =>
    entries.flatMap((entry): RuleSituation[] => {
      if (surprisesIn(entry).length + timesOf(entry).length === 0) return []
      const cause = stoppedAt(entries, entry, context)
      if (typeof cause !== 'string' && cause.length > 0)
        return [{ evidence: [entry], violation: `stopped at ${cause.map(({ text }) => text).join(' or ')}` }]
      return wentOn(entries, entry, context) ? [{ evidence: [entry] }] : []
    }),
})
