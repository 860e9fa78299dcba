/** Keeps what each run of a client did: its traffic, its output, and the command that repeats it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { invocationOf } from '../invocation.ts'
import { quoteIfNeeded } from '../quote.ts'
import { type CheckOptions, usualTimeout } from './options.ts'
import { withoutKey } from './run-client.ts'
import type { ScenarioRun } from './run-scenario.ts'

/** What is kept of one run. */
interface KeptRun {
  readonly har: object
  /** Without the key. */
  readonly output: string
  readonly repeat: string
}

/** Writes runs to a folder of their own: `1.har`, `1.txt` and `1.sh` of the first one. */
export function writeTrace(folder: string, name: string, runs: readonly KeptRun[]): void {
  const own = join(folder, name)
  mkdirSync(own, { recursive: true })
  for (const [i, { har, output, repeat }] of runs.entries()) {
    const write = (kind: string, text: string) => writeFileSync(join(own, `${i + 1}.${kind}`), text)
    write('har', JSON.stringify(har, null, 2))
    write('txt', output)
    write('sh', `${repeat}\n`)
  }
}

/** Writes the runs in one scenario. A later run follows the earlier ones, so it is repeated with them. */
export function writeScenarioTrace(folder: string, run: ScenarioRun, options: CheckOptions): void {
  const { scenario, mock, runs } = run
  const { log } = mock.journal.har()
  const numbers = mock.journal.entries().map(({ number }) => number)
  const kept = runs.map(({ since, until, output }, i): KeptRun => {
    const entries = log.entries.filter((_, at) => (numbers[at] ?? 0) > since && (numbers[at] ?? 0) <= until)
    const repeat = repeatLine(['--scenario', scenario.id, '--runs', String(i + 1)], options)
    return { har: { log: { ...log, entries } }, output: withoutKey(output), repeat }
  })
  writeTrace(folder, scenario.id, kept)
}

/** `situation`: the flags that say which run it is. */
export function repeatLine(
  situation: readonly string[],
  {
    command,
    seed,
    strictClient,
    timeout,
  }: Pick<CheckOptions, 'command' | 'seed' | 'strictClient' | 'timeout'>,
): string {
  const flags = [
    ...situation,
    ...(seed === undefined ? [] : ['--seed', seed]),
    ...(strictClient === undefined ? [] : ['--strict-client', strictClient]),
    ...(timeout === usualTimeout ? [] : ['--timeout', `${timeout}ms`]),
  ]
  return [...invocationOf('check', process), ...flags, '--', ...command].map(quoteIfNeeded).join(' ')
}
