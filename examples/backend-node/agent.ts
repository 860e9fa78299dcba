/** Credits, and the agent of each organization, which runs one task at a time. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Has } from './bugs.ts'
import { type Database, now, type Row } from './database.ts'
import { problem } from './problem.ts'

const firstWaiting = "SELECT * FROM runs WHERE org_id = ? AND status = 'waiting' ORDER BY number"

/** Creates the agents of all organizations; a run takes `runMs`. */
export function createAgent(db: Database, has: Has, runMs: number) {
  const current = new Map<unknown, Row>()
  const owing = new Set<unknown>()

  /** Takes a credit before paid work begins (§3.2). */
  function reserve(org: unknown) {
    const price = owing.delete(org) ? 2 : 1
    const take = 'UPDATE organizations SET credits = max(credits - ?, 0) WHERE id = ? AND credits >= 1'
    if (db.change(take, price, org) > 0) return
    if (has('refusal-owed')) owing.add(org)
    throw problem(402, 'no_credits', 'No Work Credits are left. Go to the billing page.')
  }

  /** Returns the credit of a charge, once. */
  function refund(org: unknown, charge: unknown) {
    if (db.change('INSERT OR IGNORE INTO refunds VALUES (?)', charge) === 0) return
    const most = has('refund-capped') ? 50 : Number.MAX_SAFE_INTEGER
    db.change('UPDATE organizations SET credits = min(credits + 1, ?) WHERE id = ?', most, org)
  }

  /** Accepts a run of a task: starts it, or lets it wait behind a busy agent (§3.3). */
  function request(org: unknown, task: Row, isPaid: boolean): Row {
    const isActive = task.status === 'waiting' || task.status === 'in_progress'
    if (has('conflict-charged') && isActive) reserve(org)
    if (isActive) throw problem(409, 'invalid_request', 'This task is running already.')
    const { credits } = db.organization(org)
    const isFree =
      (has('rerun-free') && task.status === 'failed') || (has('waiting-run-free') && isOccupied(org))
    if (!isPaid && !isFree) reserve(org)
    const dropped = "UPDATE runs SET status = 'dropped' WHERE org_id = ? AND status = 'waiting'"
    if (has('queue-of-one')) db.change(dropped, org)
    const run = db.add('runs', { org_id: org, task_id: task.id, status: 'waiting', balance: credits })
    db.change("UPDATE tasks SET status = 'waiting', finished_at = NULL WHERE id = ?", task.id)
    if (has('idle-before-next') && !isOccupied(org)) start(org, run)
    else startNext(org)
    return db.one('SELECT * FROM runs WHERE number = ?', run.number) as Row
  }

  function startNext(org: unknown) {
    const run = db.one(firstWaiting, org)
    if (run && !isOccupied(org)) start(org, run)
  }

  function start(org: unknown, waiting: Row) {
    const run = { ...waiting, fails: db.organization(org).next_run_fails } as Row
    current.set(org, run)
    db.set(org, 'next_run_fails', 0)
    db.change("UPDATE runs SET status = 'running' WHERE number = ?", run.number)
    db.change("UPDATE tasks SET status = 'in_progress', started_at = ? WHERE id = ?", now(), run.task_id)
    setTimeout(() => {
      const ended = has('idle-before-next') ? current.get(org) : run
      current.delete(org)
      if (ended) end(org, ended)
    }, runMs)
  }

  function end(org: unknown, run: Row) {
    const outcome = run.fails ? 'failed' : 'completed'
    const isWide = has('end-by-organization')
    const which = isWide ? "org_id = ? AND status IN ('in_progress', 'waiting')" : 'id = ?'
    db.file.exec('SAVEPOINT ended')
    db.change('UPDATE runs SET status = ? WHERE number = ?', outcome, run.number)
    const whose = isWide ? org : run.task_id
    db.change(`UPDATE tasks SET status = ?, finished_at = ? WHERE ${which}`, outcome, now(), whose)
    if (run.fails) fail(org, run)
    db.notify(org, `A run has ${outcome}.`)
    db.file.exec('RELEASE ended')
    if (has('queue-stops-after-failure') && run.fails) return
    const next = db.one(firstWaiting, org)
    if (has('idle-before-next')) setTimeout(() => next && start(org, next), 5)
    else startNext(org)
  }

  function fail(org: unknown, run: Row) {
    if (has('refund-after-next') && db.one(firstWaiting, org)) return
    if (has('refund-restores-balance')) db.set(org, 'credits', run.balance)
    else refund(org, has('refund-by-task') ? run.task_id : run.id)
  }

  function isOccupied(org: unknown): boolean {
    const running = db.one("SELECT 1 FROM runs WHERE org_id = ? AND status = 'running'", org)
    return running !== undefined || Date.now() < Number(db.organization(org).busy_until)
  }

  /** Gives the agent other work for a time; 0 ends that work. */
  function occupy(org: unknown, ms: number) {
    db.set(org, 'busy_until', Date.now() + ms)
    setTimeout(() => startNext(org), ms + 1)
  }

  async function untilIdle(org: unknown) {
    while (isOccupied(org) || db.one(firstWaiting, org)) await sleep(10)
  }

  return { reserve, refund, request, isOccupied, occupy, untilIdle }
}

/** The agents of all organizations, which run tasks and charge for them. */
export type Agent = ReturnType<typeof createAgent>
