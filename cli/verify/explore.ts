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
import type { Secret } from '#traffic/redaction.ts'
import { type Given, UsageError } from '../flags.ts'
import { Values } from '../values.ts'
import { type KeptFinding, keepFindings, readFindings, readSavedFile, writeFinding } from './findings.ts'
import type { Screen } from './progress.ts'

/** How to search; undefined: not at all. */
export interface SearchOptions extends ExploreOptions {
  /** Without the catalogue. */
  readonly only: boolean
  /** Histories to try first. */
  readonly saved: readonly KeptFinding[]
  /** Without a search. */
  readonly replayOnly: boolean
  /** The folder that keeps what is found; undefined: none does. */
  readonly findings: string | undefined
}

/** @throws UsageError for an invalid option. */
export function readSearchOptions(given: Given): SearchOptions | undefined {
  const values = new Values(given)
  const file = values.text('exploreReplay')
  const amount = values.text('explore')
  const findings = values.text('exploreFindings')
  if (amount === undefined && file === undefined && findings === undefined) {
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
    saved: file !== undefined ? [readSavedFile(file)] : findings === undefined ? [] : readFindings(findings),
    replayOnly: amount === undefined || file !== undefined,
    findings: file === undefined ? findings : undefined,
  }
}

/** `60s`: a time; `500`: steps. */
function readAmount(values: Values, text: string): ExploreOptions['until'] {
  if (/^[1-9]\d*$/.test(text)) return { steps: Number(text) }
  return { ms: values.duration('explore', 60_000) }
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

/** Writes each finding beside the history. */
export function writeFindings(file: string, { findings }: Exploration, secrets: readonly Secret[]): void {
  const stem = file.replace(/\.[^./]*$/, '')
  for (const one of findings) writeFinding(`${stem}-${one.violation.requirement}`, one, secrets)
}

/** Keeps the findings in their folder, and says what changed there. */
export function keepFound(
  { findings, saved }: SearchOptions,
  found: Exploration,
  secrets: readonly Secret[],
  screen: Screen,
): void {
  if (findings === undefined) return
  const today = new Date().toISOString().slice(0, 10)
  for (const line of keepFindings(findings, saved, found, secrets, today)) screen.write(`${line}\n`)
}
