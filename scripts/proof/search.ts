/**
 * `npm run proof:search [defect,…] [seeds] [seconds]`: searches mocks with history defects over HTTP, each with
 * several seeds, and prints which are found. At most defects × seeds × seconds, usually a third of it. Exits with code
 * 1 if the catalogue finds one of them, or if the search accuses a mock without a defect.
 */

import { historyKinds } from '#proof/history-defects/history-defect.ts'
import { historyDefects } from '#proof/history-defects/index.ts'
import { searchOverHttp } from '#proof/search-trial.ts'
import { tryMutations } from '#proof/trial.ts'

const [named = 'all', seeds = '5', seconds = '60'] = process.argv.slice(2)
const ms = Number(seconds) * 1_000
const each = Array.from({ length: Number(seeds) }, (_, i) => i + 1)
const wanted = (id: string) => named === 'all' || named.split(',').some((one) => id.includes(one))
const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const problems: string[] = []
const [histories, live]: [number[], number[]] = [[], []]
let [trials, found, always, defects] = [0, 0, 0, 0]

for (const seed of each) {
  const { confirmed } = await searchOverHttp([], seed, ms)
  for (const { violation } of confirmed) problems.push(`accused without a defect: ${violation.requirement}`)
}

for (const [kind, list] of Object.entries(historyDefects)) {
  console.log(`\n${historyKinds[kind as keyof typeof historyKinds]}`)
  for (const defect of list.filter(({ id }) => wanted(id))) {
    const { red } = await tryMutations([defect.mutate()], 'first', { extended: 'on' })
    if (red.length > 0) problems.push(`the catalogue finds ${defect.id}: ${red.join(', ')}`)
    const marks: string[] = []
    for (const seed of each) {
      const { confirmed, once, took } = await searchOverHttp([defect.mutate()], seed, ms)
      const [first] = confirmed
      if (first) {
        histories.push(first.evidence.length)
        live.push(first.requests)
      }
      marks.push(first ? `${(took / 1_000).toFixed(0)} s` : once.length > 0 ? 'once' : '-')
    }
    const hits = marks.filter((mark) => mark.endsWith(' s')).length
    defects++
    trials += marks.length
    found += hits
    if (hits === marks.length) always++
    console.log(`  ${defect.id.padEnd(38)} ${marks.map((mark) => mark.padStart(6)).join('')}`)
  }
}

console.log(
  `\n${defects} defects, ${trials} searches of ${seconds} s: found in ${found}; with every seed: ${always}.`,
)
console.log(
  `Histories: median ${median(histories)} requests; to shrink and confirm: ${Math.max(0, ...live)} at most.`,
)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
