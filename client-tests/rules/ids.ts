/** §4: ids in paths. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { answerOf, isSuccess } from '../entries.ts'
import type { Rule, Situation } from '../rule.ts'

const tasks = '/api/cli/tasks/'

/** The ids of tasks in an answer that a path cannot hold as they are. */
function oddIdsIn(entry: JournalEntry): string[] {
  if (!isSuccess(entry)) return []
  const { task, items } = answerOf(entry)
  const shown = entry.operation === 'listTasks' && Array.isArray(items) ? items : [task]
  return shown.flatMap((one) => {
    const id = typeof one === 'object' && one !== null ? Reflect.get(one, 'id') : undefined
    return typeof id === 'string' && pathsOf(id, '').raw !== pathsOf(id, '').encoded ? [id] : []
  })
}

/** What a URL parser makes of a path with an id, as it is and percent-encoded. */
function pathsOf(id: string, suffix: string) {
  const path = (text: string) => {
    const url = URL.parse(tasks + text + suffix, 'http://any')
    return url ? url.pathname + url.search : ''
  }
  return { raw: path(id), encoded: path(encodeURIComponent(id)) }
}

const requested = ({ url }: JournalEntry) => {
  const parsed = URL.parse(url)
  return parsed ? parsed.pathname + parsed.search : url
}

/** Whether a path names the id in one segment, whichever characters are encoded. */
function names(path: string, id: string): boolean {
  try {
    return decodeURIComponent(path.slice(tasks.length).split(/[/?]/)[0] ?? '') === id
  } catch {
    return false
  }
}

export const encodedIds: Rule = {
  id: 'encodes-ids',
  level: 'MUST',
  section: '§2, §4',
  statement: 'A client percent-encodes an id that it puts into a path.',
  needs: 'a task whose id has characters with a meaning in URLs, and a request about it',
  fix: 'Ids are opaque: build paths with encodeURIComponent(id), or what your language has for one path segment.',
  isRoot: true,
  judge(entries) {
    const known = new Set<string>()
    return entries.flatMap((entry): Situation[] => {
      const path = requested(entry)
      const ids = path.startsWith(tasks) ? [...known] : []
      for (const id of oddIdsIn(entry)) known.add(id)
      const proper = ids.find((id) => names(path, id))
      if (proper !== undefined) return [{ evidence: [entry] }]
      const raw = ids.find((id) => ['', '/run'].some((suffix) => pathsOf(id, suffix).raw === path))
      return raw === undefined
        ? []
        : [{ evidence: [entry], violation: `put the id ${JSON.stringify(raw)} into a path as it is` }]
    })
  },
}
