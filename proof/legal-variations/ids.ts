/** Ids of other forms: every id that leaves the mock is replaced, and put back when it is used. */

import { createTask } from '#mocks/core/tasks.ts'
import type { Mutation } from '../mutations/mutation.ts'
import type { Variation } from './variation.ts'

const names = new Set(['id', 'taskId', 'task_id', 'runId', 'artifactId'])

/** Gives each id another form, by the number of ids before it. */
function renamed(form: (n: number) => string | number, written = (answer: string) => answer): Mutation {
  const inner = new Map<string, string>()
  const outer = new Map<string, string | number>()
  const leave = (id: string) => {
    const known = outer.get(id)
    if (known !== undefined) return known
    const fresh = form(outer.size + 1)
    outer.set(id, fresh)
    inner.set(String(fresh), id)
    return fresh
  }
  const enter = (id: string) => inner.get(id) ?? id
  return {
    async middleware({ request, operation }, next) {
      const url = new URL(request.url)
      url.pathname = url.pathname
        .split('/')
        .map((part) => encodeURIComponent(enter(decodeURIComponent(part))))
        .join('/')
      const states = url.pathname.endsWith('/states')
      const text = await request.text()
      const body = states
        ? JSON.stringify(JSON.parse(text), (name, value) =>
            name === 'org_id' ? enter(String(value)) : value,
          )
        : text
      const { method, headers } = request
      const response = await next(new Request(url, { method, headers, body: body || null }))
      if (!operation) return response
      const answer = JSON.stringify(JSON.parse(await response.text()), (name, value) =>
        names.has(name) && typeof value === 'string' ? leave(value) : value,
      )
      return new Response(written(answer), response)
    },
  }
}

/** A UUID that only counts. */
const uuid = (n: number) =>
  `5e1f0a9c-77d2-4b6e-9d3a-${(n * 0x9e3779b1).toString(16).padStart(12, '0').slice(-12)}`

const allowed = '#ids: the form is open.'

export const ids: readonly Variation[] = [
  { id: 'ids-numbers', title: 'Ids are numbers.', allowed, group: 'ids', mutate: () => renamed((n) => n) },
  {
    id: 'ids-huge-numbers',
    title: 'Ids are numbers that no double can hold.',
    allowed,
    group: 'ids',
    mutate: () =>
      renamed(
        (n) => `922337203685477${String(5000 + n)}`,
        (answer) => answer.replace(/"(922337203685477\d{4})"/g, '$1'),
      ),
  },
  { id: 'ids-uuids', title: 'Ids are UUIDs.', allowed, group: 'ids', mutate: () => renamed(uuid) },
  {
    id: 'ids-odd',
    title: 'Ids hold slashes, spaces and letters beyond ASCII.',
    allowed,
    group: 'ids',
    mutate: () => renamed((n) => `ä/${n} %2f?#${n}`),
  },
  {
    id: 'ids-counted-for-each-organization',
    title: 'Ids are counted for each organization: the same id is something else elsewhere.',
    allowed: '#organization-by-credential: two organizations may use one id for different things.',
    group: 'ids',
    mutate() {
      let met = 0
      return {
        meet(org) {
          const counts = new Map<string, number>()
          org.newId = (kind) => {
            const count = (counts.get(kind) ?? 0) + 1
            counts.set(kind, count)
            return String(count)
          }
          if (met++ === 0) return
          for (let i = 0; i < 150; i++) {
            createTask(org, `Task ${i} of ${org.name}`, 0)
            org.notify('notice', 'Notice', 'Something happened.', null, 0)
            org.documents.append({
              id: org.newId('document'),
              title: `Document ${i}`,
              kind: null,
              content_md: null,
              summary: null,
              folder_id: null,
              created_at: 0,
            })
          }
        },
      }
    },
  },
]
