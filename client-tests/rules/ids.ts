/** §4: ids in paths. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { decodePercent, pathAndQueryOf } from '#traffic/malformed-input.ts'
import { answerJsonOf, failedAfterAnswer, isSuccess } from '../entries.ts'
import { type ClientRule, mustRule, type RuleContext, type Situation } from '../rule.ts'
import { hasKnownShape, missingIdPathPattern } from './answers.ts'

const tasks = '/api/cli/tasks/'

/** The ids of tasks in an answer. */
function idsIn(entry: JournalEntry): string[] {
  if (!isSuccess(entry)) return []
  const { task, items } = answerJsonOf(entry)
  const shown = entry.operation === 'listTasks' && Array.isArray(items) ? items : [task]
  return shown.flatMap((one) => {
    const id = typeof one === 'object' && one !== null ? Reflect.get(one, 'id') : undefined
    return typeof id === 'string' ? [id] : []
  })
}

/** Path as a URL parser reads it if it ends with a text. */
function pathOf(text: string): string {
  const url = URL.parse(tasks + text, 'http://any')
  return url ? url.pathname + url.search : ''
}

const requested = ({ url }: JournalEntry) => {
  const found = pathAndQueryOf(url)
  return found ? found.pathname + found.search : url
}

/** The id that a path names in one segment, whichever characters are encoded; undefined: none. */
const idNamedBy = (path: string) => decodePercent(path.slice(tasks.length).split(/[/?]/)[0] ?? '')

/** True if a path cannot hold an id as it is. */
const isOdd = (id: string) => !/^[\w~-]+$/.test(id) && idNamedBy(pathOf(id)) !== id

/** Mistakes that clients make with an id which should be percent-encoded once. */
const mistakes: readonly (readonly [what: string, form: (id: string) => string])[] = [
  ['as it is', (id) => id],
  ['with its reserved characters as they are', encodeURI],
  ['percent-encoded twice', (id) => encodeURIComponent(encodeURIComponent(id))],
  ['encoded as in a form, with + for spaces', (id) => encodeURIComponent(id).replaceAll('%20', '+')],
  ['in lower case', (id) => encodeURIComponent(id.toLowerCase())],
]

/** A `+` is a space where a text is encoded as in a form. */
const spaced = (text: string) => text.replaceAll('+', ' ')

/** Mistake of a client with an id in a path; undefined: none that is known. */
function mistakeIn(path: string, ids: Iterable<string>): string | undefined {
  // The whole rest of the path is tried as the id.
  const whole = decodePercent(path.slice(tasks.length))
  for (const id of ids)
    for (const suffix of ['', '/run']) {
      const [what] = mistakes.find(([, form]) => pathOf(form(id) + suffix) === path) ?? []
      const isWhole = whole !== undefined && spaced(whole) === spaced(id + suffix)
      const how = what ?? (isWhole ? 'with some of its characters as they are' : undefined)
      if (how) return `put the id ${JSON.stringify(id)} into a path ${how}`
    }
  return undefined
}

/** The rule `encodes-ids`: ids in paths are percent-encoded, once. */
export const encodesIdsRule: ClientRule = mustRule('encodes-ids', '§2, §4', {
  statement:
    'A client percent-encodes an id that it puts into a path, once, and does not change it otherwise.',
  needs: 'a task whose id a path cannot hold as it is, and a request about it',
  thresholds:
    'After an odd id was shown, whatever lies below /tasks/, names no id that was shown and is answered 404 or 400 counts, unless it is a plain word that has nothing of the id.',
  fix: 'Ids are opaque: build paths with encodeURIComponent(id), or what your language has for one path segment.',
  isRoot: true,
  judge(entries, context) {
    const known = new Set<string>()
    const situations = entries.flatMap((entry): Situation[] => {
      const path = requested(entry)
      const situations = path.startsWith(tasks) ? judgePath(entry, path, known) : []
      for (const id of idsIn(entry)) known.add(id)
      return situations
    })
    return [...situations, ...endAtId(entries, context)]
  },
})

/** Some HTTP libraries send no request with a space or a letter like é in its path. */
const isRefused = (id: string) => /[^!-~]/.test(id)

/** The situation of a client that runs its tasks elsewhere, and ended when it was given an id that it did not encode. */
function endAtId(entries: readonly JournalEntry[], context: RuleContext): Situation[] {
  const { run } = context
  const last = entries.at(-1)
  if (last?.operation !== 'createTask' || !run?.hasPaidWork) return []
  const id = idsIn(last).find(isRefused)
  if (id === undefined || !hasKnownShape(last) || !failedAfterAnswer(entries, last, context)) return []
  const violation = `ended with an error at the id ${JSON.stringify(id)}, which a path cannot hold as it is`
  return [{ evidence: [last], violation }]
}

/** Answers of a path that names no task. */
const unknown = new Set([400, 404])

/** The longest row of letters and digits: whatever was done to the rest of an id, it stays. */
const core = (id: string) => (id.match(/[a-z0-9]+/gi) ?? []).toSorted((a, b) => b.length - a.length)[0] ?? id

/**
 * The id that a path was meant to name, which names none: the odd one that was shown last. A plain word is another id,
 * unless it holds what remains of that one.
 */
function meantBy(entry: JournalEntry, path: string, known: ReadonlySet<string>): string | undefined {
  if (!unknown.has(entry.status) || entry.reason !== null || missingIdPathPattern.test(path)) return undefined
  const id = [...known].findLast(isOdd)
  const isPlain = /^[\w.~-]*(?:\/run)?$/.test(path.slice(tasks.length))
  return id !== undefined && isPlain && !path.includes(core(id)) ? undefined : id
}

/** The situation of a request about a task, after these ids were shown. */
function judgePath(entry: JournalEntry, path: string, known: ReadonlySet<string>): Situation[] {
  const named = idNamedBy(path)
  if (named !== undefined && known.has(named)) return isOdd(named) ? [{ evidence: [entry] }] : []
  const mistake = mistakeIn(path, known)
  if (mistake !== undefined) return [{ evidence: [entry], violation: mistake }]
  const id = meantBy(entry, path, known)
  if (id === undefined) return []
  const violation = `asked for ${path} where the path of the id ${JSON.stringify(id)} is ${tasks}${encodeURIComponent(id)}`
  return [{ evidence: [entry], violation }]
}
