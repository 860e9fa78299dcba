/** `--explore-findings DIR`: what the search found, kept in a folder of the user, tried again, and marked once it is gone. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Exploration } from '#contract-tests/search/explore.ts'
import type { Finding } from '#contract-tests/search/findings.ts'
import { readSaved, type SavedHistory, saveFinding } from '#contract-tests/search/saved.ts'
import { pytestOf, scriptOf, testOf } from '#contract-tests/search/script.ts'
import { counted } from '#reporting/markup.ts'
import { Redaction, type Secret } from '#traffic/redaction.ts'
import { checkWritable, readJson, write } from '../files.ts'
import { UsageError } from '../usage-error.ts'

/** A finding in the folder. */
export interface KeptFinding extends SavedHistory {
  readonly file: string
  /** What the file holds. */
  readonly json: object
}

/** @throws UsageError for a file that is no saved history. */
export function readSavedFile(file: string): KeptFinding {
  const json = readJson(file)
  try {
    return { ...readSaved(json), file, json: Object(json) }
  } catch (error) {
    throw new UsageError(`${file} is no saved history: ${(error as Error).message}`)
  }
}

/** The findings in a folder, which is created where there is none. @throws UsageError for one that cannot be used. */
export function readFindings(folder: string): KeptFinding[] {
  checkWritable(join(folder, 'finding.json'))
  const names = existsSync(folder) ? readdirSync(folder) : []
  const files = names.filter((name) => name.endsWith('.json')).toSorted()
  return files.map((name) => readSavedFile(join(folder, name)))
}

/**
 * Marks what no longer shows as fixed since `today`, takes the mark from what shows again, and adds what is new. Returns
 * what was done, in a sentence each.
 */
export function keepFindings(
  folder: string,
  kept: readonly KeptFinding[],
  { findings, retried }: Pick<Exploration, 'findings' | 'retried'>,
  secrets: readonly Secret[],
  today: string,
): string[] {
  const again = kept.filter((one) => retried.get(one) === true)
  // Of the others it is known that these steps alone need not show it.
  const isTelling = ({ how = 'replayed', is_here }: KeptFinding) => how === 'replayed' && !is_here
  const gone = kept.filter((one) => retried.get(one) === false && isTelling(one))
  const fixed = gone.filter((one) => one.fixed === undefined)
  for (const { file, json } of fixed) write(file, `${JSON.stringify({ ...json, fixed: today }, null, 2)}\n`)
  const back = again.filter((one) => one.fixed !== undefined)
  for (const { file, json } of back)
    write(file, `${JSON.stringify({ ...json, fixed: undefined }, null, 2)}\n`)
  const isKept = ({ steps }: Finding) => kept.some((one) => one.steps === steps)
  const counts = ({ how, confirmed, violation }: Finding) =>
    how !== 'suspected' && (confirmed || !violation.others)
  const fresh = findings.filter((one) => !isKept(one) && counts(one))
  const stems = fresh.map((one) => {
    const hash = createHash('sha256').update(JSON.stringify(one.steps)).digest('hex').slice(0, 8)
    const stem = join(folder, `${one.violation.requirement}-${hash}`)
    writeFinding(stem, one, secrets)
    return stem
  })
  const names = (ones: readonly string[]) => ones.map((one) => basename(one, '.json')).join(', ')
  const filesOf = (ones: readonly KeptFinding[]) => names(ones.map(({ file }) => file))
  return [
    ...(again.length > 0 ? [`${counted(again.length, 'kept finding')} still there: ${filesOf(again)}`] : []),
    ...(back.length > 0 ? [`no longer marked as fixed: ${filesOf(back)}`] : []),
    ...(fixed.length > 0 ? [`marked as fixed: ${filesOf(fixed)}`] : []),
    ...(stems.length > 0 ? [`kept in ${folder}: ${names(stems)}`] : []),
  ]
}

/** Writes a finding: its steps, a shell script, and a vitest and a pytest file. */
export function writeFinding(stem: string, finding: Finding, secrets: readonly Secret[]): void {
  const redaction = new Redaction(secrets, { decode: true })
  const safe = (text: string) => redaction.known(text)
  const file = `${basename(stem)}.json`
  write(`${stem}.json`, safe(saveFinding(finding)))
  write(`${stem}.sh`, scriptOf(finding, safe))
  write(`${stem}.test.ts`, testOf(finding, file))
  write(`${stem}_test.py`, pytestOf(finding, file))
}
