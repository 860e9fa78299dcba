/** Keeps what each run of a client did: its traffic, its output, and the command that repeats it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckOptions } from './options.ts'
import type { ScenarioRun } from './run-scenario.ts'

/** Writes the runs in one scenario to a folder of its own: `1.har`, `1.txt`, and `repeat.sh` for all of them. */
export function writeTraces(folder: string, run: ScenarioRun, options: CheckOptions): void {
  const { scenario, mock, runs } = run
  const own = join(folder, scenario.id)
  mkdirSync(own, { recursive: true })
  const { log } = mock.journal.har()
  const numbers = mock.journal.entries().map(({ number }) => number)
  const within = (from: number, to: number) => (_: object, i: number) =>
    (numbers[i] ?? 0) > from && (numbers[i] ?? 0) <= to
  for (const [i, { since, until, output }] of runs.entries()) {
    const har = { log: { ...log, entries: log.entries.filter(within(since, until)) } }
    writeFileSync(join(own, `${i + 1}.har`), JSON.stringify(har, null, 2))
    writeFileSync(join(own, `${i + 1}.txt`), output)
  }
  writeFileSync(join(own, 'repeat.sh'), `${repeatLine(run, options)}\n`)
}

function repeatLine(
  { scenario }: ScenarioRun,
  { command, seed, strictClient, timeout }: CheckOptions,
): string {
  const flags = [
    ...['--scenario', scenario.id],
    ...['--seed', seed ?? String(scenario.options.seed)],
    ...(strictClient === undefined ? [] : ['--strict-client', strictClient]),
    ...['--timeout', `${timeout}ms`],
  ]
  return ['work-agent-contract', 'check', ...flags, '--', ...command].map(quoted).join(' ')
}

/** A word for a shell. */
const quoted = (word: string) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
