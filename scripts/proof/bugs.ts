/**
 * `npm run proof bugs`: tests the backend in Node, without a bug and with each of its bugs, by a run of the suite and, if
 * that finds nothing, by a search of a minute. Prints what found which bug, and exits with code 1 if a bug stays unseen
 * or the backend without one is accused. Words after it: only bugs whose name contains one of them. `--seconds N`: how
 * long to search; `--seed N`: the choices of the search; `--workers N`: so many at once.
 */
import { parseArgs } from 'node:util'
import { bugs } from '../../examples/backend-node/bugs.ts'
import type { BugResult, BugTask } from './bugs-worker.ts'
import { runInThreads } from './pool.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    workers: { type: 'string', default: '2' },
  },
})
const [ms, seed] = [Number(values.seconds) * 1_000, Number(values.seed)]
const isWanted = (bug: string) => positionals.length === 0 || positionals.some((one) => bug.includes(one))
const wanted = Object.keys(bugs).filter(isWanted)
const tasks = [undefined, ...wanted].map((bug): BugTask => ({ bug, ms, seed }))
const counts = { run: 0, search: 0 }
const problems: string[] = []

console.log(`${wanted.length} bugs, --seed ${seed}`)
await runInThreads<BugTask, BugResult>(
  'bugs-worker.ts',
  tasks,
  ({ bug }, { by, requirements, seconds, requests }) => {
    const what = by ? `${by}: ${requirements.join(' ')}` : 'nothing found'
    console.log(`${bug ?? 'without a bug'}: ${what} (${seconds} s, ${requests} requests)`)
    if (by && bug !== undefined) counts[by]++
    if ((by === undefined) === (bug !== undefined)) problems.push(bug ?? 'without a bug')
  },
  Number(values.workers),
)
console.log(`${counts.run} found by a run, ${counts.search} more by the search, of ${wanted.length}`)
if (problems.length > 0) console.log(`not as expected: ${problems.join(', ')}`)
process.exitCode = problems.length > 0 ? 1 : 0
