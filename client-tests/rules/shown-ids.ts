/** §2, §4: where a client has an id from, and which of the tasks that it knows it runs. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { decodePercent } from '#traffic/malformed-input.ts'
import { answerJsonOf, hasReadableAnswer, isBodyTruncated, isSuccess, taskIdOf } from '../entries.ts'
import { type ClientRule, type RuleSituation, shouldRule } from '../rule.ts'
import { hasSecondVariantOnly, missingIdPathPattern } from './answers.ts'
import { decodedIdInPath, idsShownInAnswer, resourcePathOf, ShownIds } from './ids.ts'

type Entries = readonly JournalEntry[]

/** The source from which a client took a text that is no id, in words; undefined if it is not known. */
function originOf(text: string, known: ReadonlySet<string>, earlier: Entries): string | undefined {
  const isPosition =
    /^\d{1,4}$/.test(text) && Number(text) <= known.size && ![...known].some((id) => /^\d+$/.test(id))
  if (isPosition && known.size > 0) return 'a position in a list'
  if (missingIdPathPattern.test(`/${encodeURIComponent(text)}`)) return 'the text of a value that is missing'
  const quoted = JSON.stringify(text)
  const isShown = earlier.some((entry) => isSuccess(entry) && entry.answer.includes(quoted))
  return isShown && text !== '' ? 'which answers show as something else' : undefined
}

/**
 * The rule `uses-shown-ids`: the ids in a client's paths come from answers; they are no positions in lists, titles or
 * other texts.
 */
export const usesShownIdsRule: ClientRule = shouldRule('uses-shown-ids', '§2, §4', {
  statement: 'A client puts into a path an id that the service gave to a thing of that kind.',
  needs:
    'a request about a task, document, notification or key that an answer showed, or about none that there is',
  fix: 'Take the id of the thing itself from its answer, and not its position, its title or the id of another thing.',
  thresholds:
    'No id is a position in a list, the text of a missing value, or what answers show as something else, if it is answered 404. An id that no answer showed may be from elsewhere.',
  judge(entries) {
    const shown = new ShownIds()
    return entries.flatMap((entry, i): RuleSituation[] => {
      const about = resourcePathOf(entry)
      const named = about && decodedIdInPath(about.of, about.path)
      const before = entries[i - 1]
      shown.add(entry)
      if (!about || named === undefined) return []
      const { of } = about
      const known = shown.of(of)
      if (known.has(named)) return [{ evidence: [entry] }]
      const isUnknown = entry.status === 404 && entry.reason === null && hasReadableAnswer(entry)
      // A client that reads a field of the other shape is judged by tolerates-variants.
      if (!isUnknown || (before && hasSecondVariantOnly(before))) return []
      const earlier = entries.slice(0, i)
      if (earlier.some(({ answer }) => isBodyTruncated(answer))) return []
      const origin = originOf(named, known, earlier)
      if (origin === undefined) return []
      return [
        { evidence: [entry], violation: `gave ${JSON.stringify(named)} for the id of ${of.noun}, ${origin}` },
      ]
    })
  },
})

/** Statuses of a task that a client knows to have finished. */
const over: ReadonlySet<unknown> = new Set(['completed', 'failed'])

/**
 * The place in a list, such as first, at which a client that relies on the order finds a task; undefined if there is no
 * such place.
 */
function placeOf(id: string, created: string, items: readonly { id: string; status: unknown }[]) {
  const [first, last] = [items[0]?.id, items.at(-1)?.id]
  if (id === first && created !== first) return 'first'
  return id === last && created !== last ? 'last' : undefined
}

/** The tasks of a list; none where it could not be read. */
const itemsOf = (list: JournalEntry) => {
  const { items } = answerJsonOf(list)
  return (Array.isArray(items) ? items : []).map((one) => ({
    id: String(Reflect.get(Object(one), 'id')),
    status: Reflect.get(Object(one), 'status') as unknown,
  }))
}

/** The rule `runs-own-tasks`: a client that creates a task runs that one, and not the first or last task of a list. */
export const runsOwnTasksRule: ClientRule = shouldRule('runs-own-tasks', '§4', {
  statement: 'A client that creates a task runs it by the id in the answer, whatever place it has in a list.',
  needs: 'a task that the client creates and runs, or leaves for one that a list shows',
  fix: 'Keep the id of the answer to POST /api/cli/tasks; the order of a list is open.',
  thresholds:
    'It ran another task in place of its own if that one stood first or last in the list that it had read since, and had finished, and its own task was never run.',
  judge(entries, { end }) {
    const creations = entries.filter((entry) => entry.operation === 'createTask' && isSuccess(entry))
    const idOf = (creation: JournalEntry) => idsShownInAnswer(creation)[0]
    const own = new Set(creations.map(idOf))
    const runs = entries.filter(({ operation }) => operation === 'runTask')
    const nameOf = (run: JournalEntry) => decodePercent(taskIdOf(run) ?? '')
    const isRun = (id: string | undefined) => runs.some((run) => nameOf(run) === id)
    return runs.flatMap((run): RuleSituation[] => {
      const id = nameOf(run)
      const creation = creations.findLast(({ number }) => number < run.number)
      if (!creation || id === undefined) return []
      if (own.has(id)) return [{ evidence: [creation, run] }]
      const list = entries.findLast((one) => one.operation === 'listTasks' && one.number < run.number)
      const created = idOf(creation)
      // A client that may go on may run its task yet.
      if (!list || list.number < creation.number || created === undefined || !end || isRun(created)) return []
      const items = itemsOf(list)
      const place = items.some((one) => one.id === created) ? placeOf(id, created, items) : undefined
      const isOver = items.some((one) => one.id === id && over.has(one.status))
      if (place === undefined || !isOver || !isSuccess(list)) return []
      const violation = `ran the ${place} task of a list, which had finished before, and never the one that it had created`
      return [{ evidence: [creation, list, run], violation }]
    })
  },
})
