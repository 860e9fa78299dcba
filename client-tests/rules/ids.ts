/** §4: ids in paths. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { decodePercent, pathAndQueryOf } from '#traffic/malformed-input.ts'
import { answerJsonOf, hasFailedRightAfterAnswer, isSuccess, requestPathOf } from '../entries.ts'
import { type ClientRule, mustRule, type RuleContext, type RuleSituation } from '../rule.ts'
import { hasFirstVariantWithoutOddities, missingIdPathPattern } from './answers.ts'

/** The form of the paths to one kind of resource: how they begin, and what may follow an id in them. */
export interface ResourcePaths {
  /** The word for one such resource. */
  readonly noun: string
  readonly base: string
  readonly suffixes: readonly string[]
}

const tasks: ResourcePaths = { noun: 'a task', base: '/api/cli/tasks/', suffixes: ['', '/run'] }

const collections: readonly ResourcePaths[] = [
  tasks,
  { noun: 'a document', base: '/api/cli/documents/', suffixes: [''] },
  { noun: 'a notification', base: '/api/cli/notifications/', suffixes: ['/read'] },
  { noun: 'a key', base: '/api/cli/keys/', suffixes: [''] },
]

/** The collection that a path belongs to; undefined if there is none. */
const collectionOf = (path: string): ResourcePaths | undefined =>
  collections.find(({ base }) => `${path}/`.startsWith(base))

/** The ids of the resources that an answer contains. */
export function idsShownInAnswer(entry: JournalEntry): string[] {
  if (!isSuccess(entry)) return []
  const { task, item, key, items, keys } = answerJsonOf(entry)
  const shown = [items, keys].find((list) => Array.isArray(list)) ?? [task, item, key]
  return (shown as readonly unknown[]).flatMap((one) => {
    const id = typeof one === 'object' && one !== null ? Reflect.get(one, 'id') : undefined
    return typeof id === 'string' || typeof id === 'number' ? [String(id)] : []
  })
}

/** Collects the ids that answers contained, by kind of resource. */
export class ShownIds {
  readonly #shown = new Map<ResourcePaths, Set<string>>()

  /** Returns the collected ids of one kind of resource. */
  of(collection: ResourcePaths): Set<string> {
    const known = this.#shown.get(collection) ?? new Set()
    this.#shown.set(collection, known)
    return known
  }

  /** Adds the ids that an answer contains. */
  add(entry: JournalEntry): void {
    const collection = collectionOf(requestPathOf(entry))
    if (collection) for (const id of idsShownInAnswer(entry)) this.of(collection).add(id)
  }
}

/** The path that a URL parser makes of the base of a collection and a text behind it. */
function pathOf({ base }: ResourcePaths, text: string): string {
  const url = URL.parse(base + text, 'http://any')
  return url ? url.pathname + url.search : ''
}

/** The path and the query of a request. */
const requestedPath = ({ url }: JournalEntry) => {
  const found = pathAndQueryOf(url)
  return found ? found.pathname + found.search : url
}

/** The id in a path to this kind of resource, percent-decoded; undefined if it cannot be decoded. */
export const decodedIdInPath = ({ base }: ResourcePaths, path: string) =>
  decodePercent(path.slice(base.length).split(/[/?]/)[0] ?? '')

/** The path of a request for one resource, and the kind of that resource; undefined: the request has another path. */
export function resourcePathOf(entry: JournalEntry): { path: string; of: ResourcePaths } | undefined {
  const path = requestedPath(entry)
  const of = collectionOf(path)
  return of && path.length > of.base.length ? { path, of } : undefined
}

/** True if an id has to be percent-encoded in a path. */
const isOdd = (id: string) => !/^[\w~-]+$/.test(id) && decodedIdInPath(tasks, pathOf(tasks, id)) !== id

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

/** The mistake of a client with an id in a path; undefined if none is known. */
function mistakeIn(path: string, of: ResourcePaths, ids: Iterable<string>): string | undefined {
  // The whole rest of the path is tried as the id.
  const whole = decodePercent(path.slice(of.base.length))
  for (const id of ids)
    for (const suffix of of.suffixes) {
      const [what] = mistakes.find(([, form]) => pathOf(of, form(id) + suffix) === path) ?? []
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
  needs: 'a task, document, notification or key whose id a path cannot hold as it is, and a request about it',
  thresholds:
    'After an odd id was shown, whatever lies below the path of its list, names no id that was shown and is answered 404 or 400 counts, unless it is a plain word that has nothing of the id.',
  fix: 'Ids are opaque: build paths with encodeURIComponent(id), or what your language has for one path segment.',
  isRoot: true,
  judge(entries, context) {
    const shown = new ShownIds()
    const situations = entries.flatMap((entry): RuleSituation[] => {
      const about = resourcePathOf(entry)
      const situations = about ? judgePath(entry, about.path, about.of, shown.of(about.of)) : []
      shown.add(entry)
      return situations
    })
    return [...situations, ...endAtId(entries, context)]
  },
})

/** True for ids with a space or a letter like é, which some HTTP libraries refuse to send unencoded. */
const isRefused = (id: string) => /[^!-~]/.test(id)

/** The violation of a client that ended when it was given an id that it would have had to encode; empty if none. */
function endAtId(entries: readonly JournalEntry[], context: RuleContext): RuleSituation[] {
  const { run } = context
  const last = entries.at(-1)
  if (last?.operation !== 'createTask' || !run?.hasPaidWork) return []
  const id = idsShownInAnswer(last).find(isRefused)
  if (
    id === undefined ||
    !hasFirstVariantWithoutOddities(last) ||
    !hasFailedRightAfterAnswer(entries, last, context)
  )
    return []
  const violation = `ended with an error at the id ${JSON.stringify(id)}, which a path cannot hold as it is`
  return [{ evidence: [last], violation }]
}

/** Answers of a path that names no task. */
const unknown = new Set([400, 404])

/** The longest run of letters and digits in an id, which no encoding changes. */
const core = (id: string) => (id.match(/[a-z0-9]+/gi) ?? []).toSorted((a, b) => b.length - a.length)[0] ?? id

/**
 * The id that a client meant by a path that names none: the last shown one that has to be encoded. Undefined if the
 * path ends in a plain word without the longest run of letters and digits in that id: the word is another id.
 */
function meantBy(
  entry: JournalEntry,
  path: string,
  { base, suffixes }: ResourcePaths,
  known: ReadonlySet<string>,
): string | undefined {
  if (!unknown.has(entry.status) || entry.reason !== null || missingIdPathPattern.test(path)) return undefined
  const id = [...known].findLast(isOdd)
  const rest = path.slice(base.length)
  const end = suffixes.find((suffix) => suffix !== '' && rest.endsWith(suffix)) ?? ''
  const isPlain = /^[\w.~-]*$/.test(rest.slice(0, rest.length - end.length))
  return id !== undefined && isPlain && !path.includes(core(id)) ? undefined : id
}

/** The situation of a request about a thing of a collection, after these ids were shown. */
function judgePath(
  entry: JournalEntry,
  path: string,
  of: ResourcePaths,
  known: ReadonlySet<string>,
): RuleSituation[] {
  const named = decodedIdInPath(of, path)
  if (named !== undefined && known.has(named)) return isOdd(named) ? [{ evidence: [entry] }] : []
  const mistake = mistakeIn(path, of, known)
  if (mistake !== undefined) return [{ evidence: [entry], violation: mistake }]
  const id = meantBy(entry, path, of, known)
  if (id === undefined) return []
  const violation = `asked for ${path} where the path of the id ${JSON.stringify(id)} is ${of.base}${encodeURIComponent(id)}`
  return [{ evidence: [entry], violation }]
}
