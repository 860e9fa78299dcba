/** `verify --explore`: searches a service after the catalogue, or instead of it, and keeps what it finds. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import type { Target } from '#contract-tests/client/target.ts'
import type { SuiteRun } from '#contract-tests/harness/outcome.ts'
import type { SuiteSettings } from '#contract-tests/harness/terms.ts'
import { secretsInExchanges } from '#contract-tests/report/secrets.ts'
import { judgeRecordedHistory } from '#contract-tests/runner/history.ts'
import { recheckKeyAfterSearch } from '#contract-tests/runner/lost-keys.ts'
import { omissionReason } from '#contract-tests/runner/selection.ts'
import {
  type ExplorationProgress,
  type ExplorationResult,
  type ExploreOptions,
  explore,
} from '#contract-tests/search/explore.ts'
import type { Finding } from '#contract-tests/search/report/findings.ts'
import { resultsOfExploration, withExploration } from '#contract-tests/search/report/results.ts'
import {
  type FindingFileContent,
  findingFileText,
  findingShellScript,
  findingVitestFile,
  parseFindingFile,
} from '#contract-tests/search/report/saved.ts'
import { durationFormatAdvice, durationMsOf } from '#mocks/core/clock.ts'
import { countWithNoun } from '#reporting/markup.ts'
import { type NamedSecret, SecretRedactor } from '#traffic/redaction.ts'
import { checkWritable, readJsonFile, readOrThrowUsageError, writeAtomically } from '../files.ts'
import { type GivenOptions, UsageError } from '../flags.ts'
import { createStatusLine, type OutputStream } from '../screen.ts'

/** A finding of an earlier search that is saved in a file, with the history that shows it. */
export interface StoredFinding extends FindingFileContent {
  readonly file: string
  /** The content of the file. */
  readonly json: object
}

/** Reads a saved finding. @throws UsageError for a file that holds none. */
function readSavedFile(file: string): StoredFinding {
  const json = readJsonFile(file)
  return readOrThrowUsageError(`${file} is no saved history`, () => ({
    ...parseFindingFile(json),
    file,
    json: Object(json),
  }))
}

/** The findings in a folder, which is created where there is none. @throws UsageError for one that cannot be used. */
function readFindings(folder: string): StoredFinding[] {
  checkWritable(join(folder, 'finding.json'))
  const names = existsSync(folder) ? readdirSync(folder) : []
  const files = names.filter((name) => name.endsWith('.json')).toSorted()
  return files.map((name) => readSavedFile(join(folder, name)))
}

/**
 * Updates the files of findings in a folder: findings that no longer occur are marked as fixed, with the date; those
 * that occur again lose that mark; new ones are added. Prints what was done to `screen`.
 */
export function updateFindingFiles(
  { findings: folder, saved }: SearchOptions,
  { findings, replayed }: Pick<ExplorationResult, 'findings' | 'replayed'>,
  secrets: readonly NamedSecret[],
  screen: OutputStream,
): void {
  if (folder === undefined) return
  const again = saved.filter((one) => replayed.get(one) === true)
  // A finding that needs an earlier state is not repeated: its steps alone may not show it.
  const isTelling = ({ how = 'replayed', is_here }: StoredFinding) => how === 'replayed' && !is_here
  const gone = saved.filter((one) => replayed.get(one) === false && isTelling(one))
  const mark = ({ file, json }: StoredFinding, fixed?: string) =>
    writeAtomically(file, `${JSON.stringify({ ...json, fixed }, null, 2)}\n`)
  const fixed = gone.filter((one) => one.fixed === undefined)
  for (const one of fixed) mark(one, new Date().toISOString().slice(0, 10))
  const back = again.filter((one) => one.fixed !== undefined)
  for (const one of back) mark(one)
  const isKept = ({ steps }: Finding) => saved.some((one) => one.steps === steps)
  const counts = ({ how, confirmed, violation }: Finding) =>
    how !== 'suspected' && (confirmed || !violation.attributableToOthers)
  const fresh = findings.filter((one) => !isKept(one) && counts(one))
  const stems = fresh.map((one) => {
    const hash = createHash('sha256').update(JSON.stringify(one.steps)).digest('hex').slice(0, 8)
    const file = join(folder, `${one.violation.requirement}-${hash}`)
    writeFinding(file, one, secrets)
    return { file }
  })
  const told: readonly (readonly [what: string, ones: readonly { readonly file: string }[]])[] = [
    [`${countWithNoun(again.length, 'kept finding')} still there`, again],
    ['no longer marked as fixed', back],
    ['marked as fixed', fixed],
    [`kept in ${folder}`, stems],
  ]
  for (const [what, ones] of told)
    if (ones.length > 0)
      screen.write(`${what}: ${ones.map(({ file }) => basename(file, '.json')).join(', ')}\n`)
}

/** Writes a finding: its steps, a shell script and a vitest file. */
function writeFinding(stem: string, finding: Finding, secrets: readonly NamedSecret[]): void {
  const redaction = new SecretRedactor(secrets, { decode: true })
  const safe = (text: string) => redaction.known(text)
  const file = `${basename(stem)}.json`
  writeAtomically(`${stem}.json`, safe(findingFileText(finding)))
  writeAtomically(`${stem}.sh`, findingShellScript(finding, safe))
  writeAtomically(`${stem}.test.ts`, findingVitestFile(finding, file))
}

type SearchOptions = NonNullable<ReturnType<typeof readSearchOptions>>

/**
 * Reads the options of the search from the flags of `verify`; undefined: no search is wanted. @throws UsageError for an
 * invalid option.
 */
export function readSearchOptions(given: GivenOptions) {
  const file = given.text('exploreReplay')
  const amount = given.text('explore')
  const findings = given.text('exploreFindings')
  if (amount === undefined && file === undefined && findings === undefined) {
    const idle = ['exploreOnly', 'exploreSeed', 'exploreClients'].find(
      (name) => given.values[name] !== false && given.text(name) !== undefined,
    )
    if (idle !== undefined) throw given.wrong(idle, 'needs --explore')
    return undefined
  }
  if (given.on('readOnly')) throw new UsageError('--explore creates things: leave --read-only out')
  if (given.on('exploreOnly') && given.on('requireComplete'))
    throw new UsageError('--explore-only leaves out what --require-complete asks for: give one of them')
  return {
    until: readAmount(given, amount ?? '1'),
    seed: given.count('exploreSeed', 1),
    clients: given.count('exploreClients', 8, 1),
    /** True if the catalogue is left out. */
    only: given.on('exploreOnly') || file !== undefined,
    /** Saved histories to try first. */
    saved: file !== undefined ? [readSavedFile(file)] : findings === undefined ? [] : readFindings(findings),
    /** True if only saved histories are tried, without a search. */
    replayOnly: amount === undefined || file !== undefined,
    /** The folder that keeps the findings; undefined: they are not kept. */
    findings: file === undefined ? findings : undefined,
  }
}

/** Reads how long to search: `60s` is a time, `500` a number of steps. */
function readAmount(given: GivenOptions, text: string): ExploreOptions['until'] {
  if (/^[1-9]\d*$/.test(text)) return { steps: Number(text) }
  const ms = durationMsOf(text)
  if (ms === undefined) throw given.wrong('explore', `${durationFormatAdvice}, or a number of steps`)
  return { ms }
}

/** Searches a service for violations, with progress on a screen, and adds what it finds to the results of the suite. */
export async function searchWithProgress(
  options: SearchOptions,
  target: Target,
  settings: SuiteSettings,
  judged: SuiteRun | undefined,
  screen: OutputStream,
  signal: AbortSignal,
): Promise<{ run: SuiteRun; found: ExplorationResult }> {
  const left = settings.maxCredits - (judged?.credits.spent ?? 0)
  const line = createStatusLine(screen)
  const started_at = new Date().toISOString()
  const searched = await explore({ ...settings, maxCredits: left }, target, options, progressOn(line), signal)
  const shown = searched.findings.flatMap(({ evidence }) => evidence)
  // Histories that are tried again create keys of their own.
  const secrets = [...searched.secrets, ...secretsInExchanges(shown, settings.runId ?? '')]
  const found = { ...searched, secrets }
  line.end()
  const early = found.ended_early === undefined ? '' : `; ended early: ${found.ended_early}`
  line.print(`${lineOf({ ...found, requirements: found.exercised.size })}${early}`)
  const before = judged ?? emptyRun(target, settings, started_at, found)
  const run = withExploration(
    before,
    found,
    (requirement) => omissionReason(requirement, settings),
    settings.shared,
  )
  return { run: found.is_revoked ? await recheckKeyAfterSearch(run, settings, target) : run, found }
}

/** The run of the suite for a search without the catalogue: it has no results. */
function emptyRun(
  target: Target,
  settings: SuiteSettings,
  started_at: string,
  { exercised }: ExplorationResult,
): SuiteRun {
  return {
    ...judgeRecordedHistory([], target.baseUrl, settings),
    ...{ runId: settings.runId ?? '', started_at, duration_ms: 0 },
    credits: { limit: settings.maxCredits, spent: 0 },
    results: resultsOfExploration(catalogue, exercised, (requirement) =>
      omissionReason(requirement, settings),
    ),
  }
}

/** Time between two lines of progress without a terminal, ms. */
const interval = 10_000

function progressOn({
  isTTY,
  show,
  print,
}: ReturnType<typeof createStatusLine>): (progress: ExplorationProgress) => void {
  let last = performance.now()
  return (progress) => {
    if (isTTY) return show(lineOf(progress))
    if (performance.now() - last < interval) return
    last = performance.now()
    print(lineOf(progress))
  }
}

function lineOf({ steps, coverage, requirements, findings, investigating }: ExplorationProgress): string {
  const now = investigating === undefined ? '' : `, looking into ${investigating}`
  return `explored ${steps} steps, ${coverage} situations, ${requirements} requirements: ${findings.length} found${now}`
}

/**
 * Writes each finding of a search as three files whose names begin like `file`: its steps, a shell script and a vitest
 * test.
 */
export function writeFindings(
  file: string,
  { findings }: ExplorationResult,
  secrets: readonly NamedSecret[],
): void {
  const stem = file.replace(/\.[^./]*$/, '')
  for (const one of findings) writeFinding(`${stem}-${one.violation.requirement}`, one, secrets)
}
