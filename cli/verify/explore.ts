/** `verify --explore`: searches a service after the catalogue, or instead of it. */
import { catalogue } from '#contract-tests/catalogue/index.ts'
import type { Target } from '#contract-tests/client/target.ts'
import type { SuiteRun } from '#contract-tests/harness/outcome.ts'
import type { Settings } from '#contract-tests/harness/terms.ts'
import { leftOut } from '#contract-tests/runner/selection.ts'
import {
  type Exploration,
  type ExploreOptions,
  explore,
  type Progress,
} from '#contract-tests/search/explore.ts'
import { triedResults, withExploration } from '#contract-tests/search/results.ts'
import { readSaved, type SavedHistory, saveFinding } from '#contract-tests/search/saved.ts'
import { scriptOf, testOf } from '#contract-tests/search/script.ts'
import { Redaction, type Secret } from '#traffic/redaction.ts'
import { readJson, write } from '../files.ts'
import { type Given, UsageError } from '../flags.ts'
import { Values } from '../values.ts'
import type { Screen } from './progress.ts'

/** How to search; undefined: not at all. */
export interface SearchOptions extends ExploreOptions {
  /** Without the catalogue. */
  readonly only: boolean
  readonly saved: SavedHistory | undefined
}

/** @throws UsageError for an invalid option. */
export function readSearchOptions(given: Given): SearchOptions | undefined {
  const values = new Values(given)
  const file = values.text('exploreReplay')
  const amount = values.text('explore')
  if (amount === undefined && file === undefined) {
    const idle = ['exploreOnly', 'exploreSeed', 'exploreClients'].find(
      (name) => given.values[name] !== false && values.text(name) !== undefined,
    )
    if (idle !== undefined) throw new UsageError(`${given.sourceOf(idle)} needs --explore`)
    return undefined
  }
  if (values.on('readOnly')) throw new UsageError('--explore creates things: leave --read-only out')
  return {
    until: readAmount(values, amount ?? '1'),
    seed: values.count('exploreSeed', 1),
    clients: values.count('exploreClients', 8, 1),
    only: values.on('exploreOnly') || file !== undefined,
    saved: file === undefined ? undefined : readHistory(file),
  }
}

/** `60s`: a time; `500`: steps. */
function readAmount(values: Values, text: string): ExploreOptions['until'] {
  if (/^[1-9]\d*$/.test(text)) return { steps: Number(text) }
  return { ms: values.duration('explore', 60_000) }
}

function readHistory(file: string): SavedHistory {
  const json = readJson(file)
  try {
    return readSaved(json)
  } catch (error) {
    throw new UsageError(`--explore-replay: ${file} is no saved history: ${(error as Error).message}`)
  }
}

/** Searches, with progress on a screen, and adds what was found to the run of the catalogue. */
export async function exploreAloud(
  options: SearchOptions,
  target: Target,
  settings: Settings,
  judged: SuiteRun | undefined,
  screen: Screen,
  signal: AbortSignal,
): Promise<{ run: SuiteRun; found: Exploration }> {
  const left = settings.maxCredits - (judged?.credits.spent ?? 0)
  const shown = progressOn(screen)
  const started_at = new Date().toISOString()
  const found = await explore({ ...settings, maxCredits: left }, target, options, shown, signal)
  if (screen.isTTY) screen.write('\r\x1b[K')
  const early = found.ended_early === undefined ? '' : `; ended early: ${found.ended_early}`
  screen.write(`${lineOf({ ...found, requirements: found.tried.size })}${early}\n`)
  const run = judged ?? emptyRun(target, settings, started_at, found)
  return { run: withExploration(run, found, (requirement) => leftOut(requirement, settings)), found }
}

/** A run of the search alone. */
function emptyRun(target: Target, settings: Settings, started_at: string, { tried }: Exploration): SuiteRun {
  return {
    baseUrl: target.baseUrl,
    runId: settings.runId ?? '',
    started_at,
    duration_ms: 0,
    variant: 'unknown',
    extended: 'unknown',
    credits: { limit: settings.maxCredits, spent: 0 },
    requests: 0,
    disturbances: { dropped: 0, gateway: 0, waits: 0, waited_ms: 0, repeats: 0 },
    results: triedResults(catalogue, tried, (requirement) => leftOut(requirement, settings)),
    history: [],
    created: [],
    secrets: [],
    left: [],
  }
}

/** ms between two lines of progress where the screen is no terminal. */
const interval = 10_000

function progressOn(screen: Screen): (progress: Progress) => void {
  let last = performance.now()
  return (progress) => {
    if (screen.isTTY)
      return void screen.write(`\r\x1b[K${lineOf(progress).slice(0, (screen.columns || 80) - 1)}`)
    if (performance.now() - last < interval) return
    last = performance.now()
    screen.write(`${lineOf(progress)}\n`)
  }
}

function lineOf({ steps, situations, requirements, findings, looking }: Progress): string {
  const now = looking === undefined ? '' : `, looking into ${looking}`
  return `explored ${steps} steps, ${situations} situations, ${requirements} requirements: ${findings.length} found${now}`
}

/** Writes each finding beside the history: its steps, a shell script and a vitest file. */
export function writeFindings(file: string, { findings }: Exploration, secrets: readonly Secret[]): void {
  const redaction = new Redaction(secrets, { decode: true })
  const stem = file.replace(/\.[^./]*$/, '')
  for (const finding of findings) {
    const name = `${stem}-${finding.violation.requirement}`
    write(`${name}.json`, redaction.known(saveFinding(finding)))
    write(
      `${name}.sh`,
      scriptOf(finding, (text) => redaction.known(text)),
    )
    write(`${name}.test.ts`, testOf(finding, `${name}.json`.replace(/^.*\//, '')))
  }
}
