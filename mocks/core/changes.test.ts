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
      changes.added(resource, row)
      made.push({ number, resource, row, before: null })
    }
  }
  return { changes, made }
}

test.each([
  [0, 0],
  [100, 5],
  [100, 149],
  [100, 151],
  [100, 1_000],
  [7, 500],
])('of %i changes to keep and %i made, the newest are read back in order', (keep, count) => {
  const { made, changes } = recorded(keep, count)
  const kept = changes.after() ?? []
  expect(kept.length).toBeGreaterThanOrEqual(Math.min(keep, count))
  expect(kept.length).toBeLessThanOrEqual(Math.ceil(keep * 1.5))
  expect(kept).toEqual(made.slice(made.length - kept.length))
})

test('a position that is no longer kept has no changes after it; a later one has those after it', () => {
  const { changes, made } = recorded(10, 100)
  expect(changes.after(1)).toBeUndefined()
  expect(changes.after(changes.position - 3)).toEqual(made.slice(-3))
  expect(changes.after(changes.position)).toEqual([])
})

test('an organization that is created again does not know the positions of its earlier life', () => {
  const counter = { count: 0 }
  const [first, second] = [new Changes(counter, 10), new Changes(counter, 10)]
  first.begin()
  first.changing('agent', {}, {})
  second.begin()
  expect(second.after(first.position)).toBeUndefined()
})
