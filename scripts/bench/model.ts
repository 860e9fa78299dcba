/**
 * `npm run bench model`: judges 10,000 operations of 8 clients, 30% of whose answers are lost, and then half of them,
 * which must take at least a sixth of that time. Prints ms, and MB of history and state; exits with code 1 above 2 s or
 * 300 MB.
 */
import { judgeHistory, type ModelEvent } from '#contract-tests/model/index.ts'
import { runRandomWalk } from '#proof/walks/walk.ts'

const { history } = await runRandomWalk({
  ...{ seed: 1, steps: 10_000, mutations: [], variant: 'first' },
  ...{ clients: 8, lost: 0.3, others: 0, drift: 1 },
})

function measure(events: readonly ModelEvent[]): { ms: number; violations: number } {
  const started = performance.now()
  const { violations } = judgeHistory(events)
  return { ms: performance.now() - started, violations: violations.length }
}

measure(history)
const [half, all] = [measure(history.slice(0, 5_000)), measure(history)]
const megabytes = Math.round(process.memoryUsage().heapUsed / 1e6)
const ratio = all.ms / half.ms
console.log(
  `10,000 operations: ${Math.round(all.ms)} ms, ${megabytes} MB; ratio to 5,000: ${ratio.toFixed(1)}; ${all.violations} violations`,
)
process.exitCode = all.ms > 2_000 || megabytes > 300 || ratio > 6 || all.violations > 0 ? 1 : 0
