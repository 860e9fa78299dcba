/** The agent executes one run at a time, queues the others, and applies events when they are due (§3). */
import { expect, test } from 'vitest'
import { Agent } from './agent.ts'
import { Ledger } from './ledger.ts'
import type { Run, RunOutcome } from './resources.ts'

/** Creates an agent that logs the ends of runs as `id@time`. */
function agentWith(outcome: RunOutcome = 'completed') {
  const ends: string[] = []
  const agent = new Agent({
    outcomeOf: () => outcome,
    started: () => undefined,
    ended(run) {
      run.ended = true
      ends.push(`${run.id}@${run.ends_at}`)
    },
  })
  return { agent, ends }
}

const ledger = new Ledger(() => 'entry')
ledger.topUp(100, 0)

function runOf(id: string, accepted_at = 0, duration_ms = 10): Run {
  const reserve = ledger.reserve(id, accepted_at)
  if (!reserve) throw new Error('no credit to reserve')
  return {
    id,
    task_id: `task of ${id}`,
    accepted_at,
    duration_ms,
    polls: null,
    destined: null,
    reserve,
    started_at: null,
    ends_at: null,
    outcome: null,
    ended: false,
    looks: 0,
  }
}

test('a run starts immediately if the agent is idle', () => {
  const { agent } = agentWith('failed')
  const run = runOf('a', 5)
  agent.accept(run, 5)
  expect(run).toMatchObject({ started_at: 5, ends_at: 15, outcome: 'failed', ended: false })
})

test('a run ends exactly when it is due', () => {
  const { agent, ends } = agentWith()
  agent.accept(runOf('a'), 0)
  agent.settle(9)
  expect(ends).toEqual([])
  agent.settle(10)
  expect(ends).toEqual(['a@10'])
})

test('queued runs start in order, each when the previous one has ended', () => {
  const { agent, ends } = agentWith()
  const runs = [runOf('a', 0), runOf('b', 1), runOf('c', 2)]
  for (const run of runs) agent.accept(run, run.accepted_at)
  agent.settle(100)
  expect(ends).toEqual(['a@10', 'b@20', 'c@30'])
  expect(runs.map(({ started_at }) => started_at)).toEqual([0, 10, 20])
})

test('settling often and settling once give the same result', () => {
  const often = agentWith()
  const once = agentWith()
  for (const { agent } of [often, once]) for (const id of ['a', 'b', 'c']) agent.accept(runOf(id), 0)
  for (let now = 0; now <= 50; now++) often.agent.settle(now)
  once.agent.settle(50)
  expect(often.ends).toEqual(once.ends)
})

test('the agent is busy while a run is in progress and idle when it has ended', () => {
  const { agent } = agentWith()
  expect(agent.busy(0)).toBe(false)
  agent.accept(runOf('a'), 0)
  expect(agent.busy(0)).toBe(true)
  agent.settle(10)
  expect(agent.busy(10)).toBe(false)
})

test('runs wait until other work ends', () => {
  const { agent, ends } = agentWith()
  agent.busyUntil(50)
  expect(agent.busy(49)).toBe(true)
  agent.accept(runOf('a'), 0)
  agent.settle(49)
  expect(ends).toEqual([])
  agent.settle(60)
  expect(ends).toEqual(['a@60'])
})

test('shorter other work does not shorten longer other work', () => {
  const { agent } = agentWith()
  agent.busyUntil(50)
  agent.busyUntil(20)
  expect(agent.busy(49)).toBe(true)
})

test('ending other work starts the next queued run now, not in the past', () => {
  const { agent } = agentWith()
  const run = runOf('a')
  agent.busyUntil(50)
  agent.accept(run, 0)
  agent.freeOtherWork(30)
  expect(run).toMatchObject({ started_at: 30, ends_at: 40 })
})

test('ending other work does not affect a run in progress', () => {
  const { agent, ends } = agentWith()
  agent.accept(runOf('a'), 0)
  agent.freeOtherWork(5)
  expect(ends).toEqual([])
  expect(agent.busy(5)).toBe(true)
})

test('finishing all ends active and queued runs now, in order', () => {
  const { agent, ends } = agentWith()
  agent.busyUntil(500)
  for (const id of ['a', 'b', 'c']) agent.accept(runOf(id), 0)
  agent.finishAll(7)
  expect(ends).toEqual(['a@7', 'b@7', 'c@7'])
  expect(agent.busy(7)).toBe(false)
})

test('runs with a duration of zero end immediately', () => {
  const { agent, ends } = agentWith()
  agent.busyUntil(5)
  for (const id of ['a', 'b']) agent.accept(runOf(id, 0, 0), 0)
  agent.settle(5)
  expect(ends).toEqual(['a@5', 'b@5'])
})
