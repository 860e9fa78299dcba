/** Parts of an organization that no request shows; requests and control calls show all else (choices.test, ledger.test). */

import { expect, test } from 'vitest'
import { ChangeHistory, type RowChange } from './changes.ts'
import { createClock, isoTimeOf } from './clock.ts'
import { Ledger } from './ledger.ts'
import { createRandom } from './random.ts'
import { RateLimiter } from './rate-limit.ts'
import { Rows } from './rows.ts'

test('a reserve is refunded exactly once', () => {
  const ledger = new Ledger(() => 'entry')
  ledger.topUp(3, 0)
  const reserve = ledger.reserve('run_1', 0)
  if (!reserve) throw new Error('no credit was reserved')
  ledger.refund(reserve, 5)
  ledger.refund(reserve, 6)
  expect(ledger.balance).toBe(3)
  expect(ledger.entries.filter(({ kind }) => kind === 'refund')).toMatchObject([{ amount: 1, at: 5 }])
})

test('the requested number of rows is returned, newest first', () => {
  const rows = new Rows<{ id: string }>()
  for (const id of ['a', 'b', 'c', 'd']) rows.append({ id })
  expect(rows.newest(2)).toEqual([{ id: 'd' }, { id: 'c' }])
  expect(rows.newest(2, ({ id }) => id !== 'c')).toEqual([{ id: 'd' }, { id: 'b' }])
})

test('mock time is real time by default', () => {
  const before = Date.now()
  const now = createClock().now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})

test('mock time ends with the last moment that an HTTP date can express', () => {
  const clock = createClock(Date.parse('9999-12-31T23:59:59.999Z') + 1)
  expect(isoTimeOf(clock.now())).toBe('9999-12-31T23:59:59.999Z')
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, 253_402_300_800_000])('a clock rejects %d', (at) => {
  const clock = createClock(0)
  for (const change of [clock.set, clock.freeze, clock.advance]) expect(() => change(at)).toThrow(RangeError)
  expect(() => clock.advance(-1)).toThrow(RangeError)
})

/** Records changes of tasks and documents, of which every third changes a row that is there. */
function recorded(keep: number, count: number) {
  const changes = new ChangeHistory({ count: 0 }, keep)
  const lists = { tasks: [{ id: 0 }], documents: [{ id: 0 }] }
  const made: Pick<RowChange, 'number' | 'resource' | 'row' | 'before'>[] = []
  changes.begin()
  for (let place = 1; place <= count; place++) {
    const resource = place % 2 === 0 ? 'tasks' : 'documents'
    const number = changes.position + 1
    if (place % 3 === 0) {
      const row = lists[resource][0] as { id: number }
      const before = { ...row }
      changes.change(resource, row, { id: -place })
      made.push({ number, resource, row, before })
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
  const [first, second] = [new ChangeHistory(counter, 10), new ChangeHistory(counter, 10)]
  first.begin()
  first.change('agent', {}, {})
  second.begin()
  expect(second.after(first.position)).toBeUndefined()
})

const rule = { limit: 2, window_ms: 1_000 }

test('rejected requests do not count', () => {
  const limiter = new RateLimiter(new ChangeHistory({ count: 0 }, 0))
  for (let now = 0; now < 500; now++) limiter.admit('k', rule, now)
  expect([1_000, 1_001, 1_002].map((now) => limiter.admit('k', rule, now))).toEqual([0, 0, 998])
})

test('setting the clock back opens a new window', () => {
  const limiter = new RateLimiter(new ChangeHistory({ count: 0 }, 0))
  for (const now of [5_000, 5_001]) limiter.admit('k', rule, now)
  expect(limiter.admit('k', rule, 100)).toBe(0)
})

test('ids do not repeat', () => {
  const chance = createRandom('s', 'ids')
  const ids = Array.from({ length: 20_000 }, () => chance.id('task'))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0]).toMatch(/^task_[0-9a-z]{16}$/)
})

test('a stream tells what it was after fewer words, also once it was restored', () => {
  const random = createRandom('seed', 'earlier')
  for (const count of [0, 700, 1_000]) {
    const drawn = Array.from({ length: count }, () => random.word())
    const earlier = createRandom()
    earlier.restore(random.dump(Math.min(count, 300)))
    expect(Array.from({ length: Math.max(0, count - 300) }, () => earlier.word())).toEqual(drawn.slice(300))
    random.restore(random.dump())
  }
})

test('a row that counts is known as it was at every position', () => {
  const changes = new ChangeHistory({ count: 0 }, 10)
  changes.begin()
  const row = { used: 0 }
  const positions = [1, 2, 3].map((by) => {
    changes.count('windows', row, by)
    return changes.position
  })
  expect(positions.map((position) => changes.past(position)?.(row)?.used)).toEqual([1, 3, 6])
  expect(changes.after(positions[1])).toMatchObject([{ resource: 'windows', row, before: { used: 3 } }])
})
