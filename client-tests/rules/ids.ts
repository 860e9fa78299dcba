/** §4: ids in paths. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { decoded } from '#traffic/odd-input.ts'
import { answerOf, brokeOff, isSuccess } from '../entries.ts'
import { type Context, must, type Rule, type Situation } from '../rule.ts'
import { isFamiliar } from './answers.ts'

const tasks = '/api/cli/tasks/'

/** The ids of tasks in an answer. */
function idsIn(entry: JournalEntry): string[] {
  if (!isSuccess(entry)) return []
  const { task, items } = answerOf(entry)
  const shown = entry.operation === 'listTasks' && Array.isArray(items) ? items : [task]
  return shown.flatMap((one) => {
    const id = typeof one === 'object' && one !== null ? Reflect.get(one, 'id') : undefined
    return typeof id === 'string' ? [id] : []
  })
}

/** What a URL parser makes of a path that ends with a text. */
function pathOf(text: string): string {
  const url = URL.parse(tasks + text, 'http://any')
  return url ? url.pathname + url.search : ''
}

const requested = ({ url }: JournalEntry) => {
  const parsed = URL.parse(url)
  return parsed ? parsed.pathname + parsed.search : url
}

/** The id that a path names in one segment, whichever characters are encoded; undefined: none. */
const idNamedBy = (path: string) => decoded(path.slice(tasks.length).split(/[/?]/)[0] ?? '')

/** Whether a path cannot hold an id as it is. */
const isOdd = (id: string) => idNamedBy(pathOf(id)) !== id

/** What clients make of an id that should be percent-encoded once. */
const mistakes: readonly (readonly [what: string, form: (id: string) => string])[] = [
  ['as it is', (id) => id],
  ['with its reserved characters as they are', encodeURI],
  ['percent-encoded twice', (id) => encodeURIComponent(encodeURIComponent(id))],
  ['encoded as in a form, with + for spaces', (id) => encodeURIComponent(id).replaceAll('%20', '+')],
  ['in lower case', (id) => encodeURIComponent(id.toLowerCase())],
]

/** A `+` is a space where a text is encoded as in a form. */
const spaced = (text: string) => text.replaceAll('+', ' ')

/** What a client did to an id that a path was made from; undefined: nothing that is known. */
function mistakeIn(path: string, ids: Iterable<string>): string | undefined {
  // As if all that the path has belonged to the id.
  const whole = decoded(path.slice(tasks.length))
  for (const id of ids)
    for (const suffix of ['', '/run']) {
      const [what] = mistakes.find(([, form]) => pathOf(form(id) + suffix) === path) ?? []
      const isWhole = whole !== undefined && spaced(whole) === spaced(id + suffix)
      const how = what ?? (isWhole ? 'with some of its characters as they are' : undefined)
      if (how) return `put the id ${JSON.stringify(id)} into a path ${how}`
    }
  return undefined
}

export const encodedIds: Rule = must('encodes-ids', '§2, §4', {
  statement:
    'A client percent-encodes an id that it puts into a path, once, and does not change it otherwise.',
  needs: 'a task whose id a path cannot hold as it is, and a request about it',
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
function endAtId(entries: readonly JournalEntry[], context: Context): Situation[] {
  const { run } = context
  const last = entries.at(-1)
  if (last?.operation !== 'createTask' || !run?.hasPaidWork) return []
  const id = idsIn(last).find(isRefused)
  if (id === undefined || !isFamiliar(last) || !brokeOff(entries, last, context)) return []
  const violation = `ended with an error at the id ${JSON.stringify(id)}, which a path cannot hold as it is`
  return [{ evidence: [last], violation }]
}

/** The situation of a request about a task, after these ids were shown. */
function judgePath(entry: JournalEntry, path: string, known: ReadonlySet<string>): Situation[] {
  const named = idNamedBy(path)
  if (named !== undefined && known.has(named)) return isOdd(named) ? [{ evidence: [entry] }] : []
  const violation = mistakeIn(path, known)
  return violation === undefined ? [] : [{ evidence: [entry], violation }]
}
