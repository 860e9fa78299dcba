/**
 * `npm run proof search [defect,…] [seeds] [seconds] [--workers N]`: searches mocks with history defects over HTTP, each
 * with several seeds, and prints which are found. Takes at most defects × seeds × seconds ÷ workers. Exits with code 1
 * if the search accuses a mock without a defect. `npm run proof` shows that the catalogue does not find them.
 */
import { parseArgs } from 'node:util'
import { historyKinds } from '#proof/history-defects/history-defect.ts'
import { historyDefects } from '#proof/history-defects/index.ts'
import { runInThreads } from './pool.ts'
import type { SearchResult, SearchTask } from './search-worker.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { workers: { type: 'string', default: '1' } },
})
const [named = 'all', seeds = '5', seconds = '60'] = positionals
const ms = Number(seconds) * 1_000
const each = Array.from({ length: Number(seeds) }, (_, i) => i + 1)
const isWanted = (id: string) => named === 'all' || named.split(',').some((one) => id.includes(one))
const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const minutes = (time: number) => `${Math.ceil(time / 60_000)} min`

const wanted = Object.entries(historyDefects).map(
  ([kind, list]) => [kind, list.map(({ id }) => id).filter(isWanted)] as const,
)
const ids = [undefined, ...wanted.flatMap(([, list]) => list)]
const tasks = ids.flatMap((defect) => each.map((seed): SearchTask => ({ defect, seed, ms })))
const results = new Map<SearchTask, SearchResult>()
const problems: string[] = []

const most = (tasks.length * ms) / Number(values.workers)
console.log(`${ids.length - 1} defects, ${each.length} seeds of ${seconds} s: at most ${minutes(most)}`)
const started = Date.now()
await runInThreads<SearchTask, SearchResult>(
  'search-worker.ts',
  tasks,
  (task, result) => {
    results.set(task, result)
    const { outcome, found } = result
    const took = Math.round(result.took)
    if (!task.defect && outcome === 'confirmed')
      problems.push(`accused without a defect: ${found?.requirement}`)
    if (process.stderr.isTTY) process.stderr.write(`\r${results.size} of ${tasks.length} searches `)
    else console.error(`${task.defect ?? 'no defect'} (${task.seed}): ${outcome} after ${took} ms`)
  },
  Number(values.workers),
)
if (process.stderr.isTTY) process.stderr.write('\r')

const resultsOf = (id: string) => [...results].filter(([task]) => task.defect === id)
const markOf = ({ outcome, took }: SearchResult) =>
  outcome === 'confirmed' ? `${Math.ceil(took / 1_000)} s` : outcome === 'seen once' ? 'once' : '-'
for (const [kind, list] of wanted) {
  if (list.length > 0) console.log(`\n${historyKinds[kind as keyof typeof historyKinds]}`)
  for (const id of list) {
    const marks = resultsOf(id).toSorted(([one], [other]) => one.seed - other.seed)
    console.log(`  ${id.padEnd(38)} ${marks.map(([, result]) => markOf(result).padStart(6)).join('')}`)
  }
}

const all = [...results].filter(([{ defect }]) => defect !== undefined)
const of = (outcome: SearchResult['outcome']) => all.filter(([, result]) => result.outcome === outcome)
const found = of('confirmed').flatMap(([, result]) => result.found ?? [])
const always = ids.filter(
  (id) => id !== undefined && resultsOf(id).every(([, { outcome }]) => outcome === 'confirmed'),
)
console.log(`\n${all.length} searches in ${minutes(Date.now() - started)}: confirmed ${found.length}`)
for (const outcome of ['seen once', 'missed'] as const) {
  const names = of(outcome).map(([{ defect, seed }]) => `${defect} (${seed})`)
  console.log(`${outcome} ${names.length}${names.length > 0 ? `: ${names.join(', ')}` : ''}`)
}
console.log(`confirmed with every seed: ${always.length} of ${ids.length - 1}`)
console.log(
  `median history: ${median(found.map(({ history }) => history))} requests; median to shrink and confirm: ${median(found.map(({ live }) => live))}`,
)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
