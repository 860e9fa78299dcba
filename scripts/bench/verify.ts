/** `npm run bench:verify`: measures the time of verdicts and writes docs/benchmarks-verify.md. */
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resultsOf } from '#contract-tests/harness/outcome.ts'
import { measureVerdict, type Surroundings } from './verdict.ts'

const usual: Surroundings = { latency: 0, runDuration: '150ms', rateLimit: 'off', runTimeout: 10_000 }

const rows: readonly Surroundings[] = [
  usual,
  { ...usual, defect: 'run-never-finished' },
  { ...usual, defect: 'credits-no-refund' },
  { ...usual, runDuration: '1500ms' },
  { ...usual, latency: 60 },
]

/** Measures one row of the table. */
async function measureRow(given: Surroundings): Promise<string> {
  const run = await measureVerdict(given)
  const red = resultsOf(run, 'failed').map(({ requirement }) => requirement.id)
  const { latency, runDuration, rateLimit, defect = 'none' } = given
  const seconds = (run.duration_ms / 1_000).toFixed(1)
  const cells = [
    defect,
    red.join(', ') || 'passed',
    `${latency} ms`,
    runDuration,
    rateLimit,
    seconds,
    run.requests,
    run.credits.spent,
  ]
  return `| ${cells.join(' | ')} |`
}

const lines: string[] = []
for (const row of rows) {
  lines.push(await measureRow(row))
  console.log(lines.at(-1))
}

const page = `# Time of a verdict

Written by \`npm run bench:verify\`: the suite against the mock over HTTP on one machine with ${availableParallelism()} cores and Node ${process.version}, in real time, with \`--run-timeout ${usual.runTimeout / 1_000}s\`. Latency is added to every request. A defect makes the verdict red.

| defect | verdict | latency | length of a run | limit | seconds | requests | credits |
| --- | --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}

A verdict is slow where runs are long, since one organization runs one task at a time. To shorten it, test parts on several machines (\`--shard\`, \`--merge\`) or make runs shorter. What never happens is waited for once for the length of \`--run-timeout\`.
`
writeFileSync(new URL('../../docs/benchmarks-verify.md', import.meta.url), page)
