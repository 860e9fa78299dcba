/** Changes are read back as they were made, also after the oldest are dropped. */
import { expect, test } from 'vitest'
import { type Change, Changes } from './changes.ts'

/** Records changes of tasks and documents, of which every third changes a row that is there. */
function recorded(keep: number, count: number) {
  const changes = new Changes({ count: 0 }, keep)
  const lists = { tasks: [{ id: 0 }], documents: [{ id: 0 }] }
  const made: Pick<Change, 'number' | 'resource' | 'row' | 'before'>[] = []
  changes.begin()
  for (let place = 1; place <= count; place++) {
    const resource = place % 2 === 0 ? 'tasks' : 'documents'
    const number = changes.position + 1
    if (place % 3 === 0) {
      const row = lists[resource][0] as object
      changes.changing(resource, row, { id: -place })
      made.push({ number, resource, row, before: { id: -place } })
    } else {
      const row = { id: place }
      lists[resource].push(row)
      changes.added(resource)
      made.push({ number, resource, row, before: null })
    }
  }
  const after = (position?: number) => {
    const left = { tasks: lists.tasks.length, documents: lists.documents.length }
    const found: object[] = []
    for (const recorded of changes.newestFirst(position)) {
      if (recorded.kind === 'changed') found.unshift({ ...recorded, kind: undefined })
      if (recorded.kind !== 'added') continue
      const { number, resource } = recorded as { number: number; resource: 'tasks' | 'documents' }
      found.unshift({ number, resource, row: lists[resource][--left[resource]], before: null })
    }
    return found
  }
  return { changes, made, after }
}

test.each([
  [0, 0],
  [100, 5],
  [100, 149],
  [100, 151],
  [100, 1_000],
  [7, 500],
])('of %i changes to keep and %i made, the newest are read back in order', (keep, count) => {
  const { made, after } = recorded(keep, count)
  const kept = after()
  expect(kept.length).toBeGreaterThanOrEqual(Math.min(keep, count))
  expect(kept.length).toBeLessThanOrEqual(Math.ceil(keep * 1.5))
  expect(kept).toEqual(made.slice(made.length - kept.length))
})

test('a position that is no longer kept has no changes after it; a later one has those after it', () => {
  const { changes, made, after } = recorded(10, 100)
  expect(changes.keeps(1)).toBe(false)
  expect(after(changes.position - 3)).toEqual(made.slice(-3))
  expect(after(changes.position)).toEqual([])
})

test('an organization that is created again does not know the positions of its earlier life', () => {
  const counter = { count: 0 }
  const [first, second] = [new Changes(counter, 10), new Changes(counter, 10)]
  first.begin()
  first.changing('agent', {}, {})
  second.begin()
  expect(second.keeps(first.position)).toBe(false)
})

test('draws of random streams and counted requests are read back too', () => {
  const changes = new Changes({ count: 0 }, 100)
  changes.begin()
  changes.drew('outcomes', 1)
  changes.drew('ids', 33)
  changes.counted(63)
  changes.counted(64)
  const kinds = [...changes.newestFirst()].map(({ kind, ...rest }) => [kind, ...Object.values(rest)])
  expect(kinds).toEqual([
    ['counted', 63],
    ['drawn', 'ids', 3],
    ['drawn', 'ids', 15],
    ['drawn', 'ids', 15],
    ['drawn', 'outcomes', 1],
  ])
})
