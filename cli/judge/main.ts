/** `judge`: what recorded traffic says of a service and of its clients. Exit codes: 0, 1 violation, 2 usage, 3 inconclusive, or nothing of this API. */
import { setFlagsFromString } from 'node:v8'
import { historyFromNdjson } from '#contract-tests/model/index.ts'
import { decompress } from '#mocks/edges/recording/decompress.ts'
import { createRecordingJudge, judgeServiceByHistory } from '#mocks/edges/recording/judgement.ts'
import type { RecordingJudgementSettings } from '#mocks/edges/recording/terms.ts'
import { verdictLines } from '#mocks/edges/recording/verdict.ts'
import { countWithNoun } from '#reporting/markup.ts'
import { createHarEntriesReader, secretsInRecording } from '#traffic/recording.ts'
import { readOrThrowUsageError, UsageError } from '../files.ts'
import type { GivenOptions } from '../flags.ts'
import { printReport, writeReportFiles } from '../reports.ts'
import { logError } from '../screen.ts'
import { readJudgementTerms } from './options.ts'
import { openRecording, readRecordedExchanges } from './recording-file.ts'

/** Runs `judge` on a recording; returns the exit code. */
export async function runJudge(given: GivenOptions): Promise<number> {
  // Judged entries are garbage: neither the heap nor its young generation need grow with a recording.
  for (const flag of ['--heap-growing-percent=60', '--semi-space-growth-factor=1']) setFlagsFromString(flag)
  const [file, ...others] = given.operands
  if (file === undefined || others.length > 0)
    throw new UsageError('needs one recording: a HAR, or - for standard input')
  const flags = { strict: given.on('strict'), withStrength: given.on('strength') }
  const terms = { source: file, ...readJudgementTerms(given), ...flags }
  if (terms.withStrength && terms.side === 'client')
    throw new UsageError('--strength is of a verdict on the service')
  const reports = given.reports([file])
  const found = await judge(file, given.url('baseUrl'), terms)
  if (found === undefined) {
    const there = given.url('baseUrl') ? ' to that base URL' : ''
    logError('judge', `nothing in ${file} is a request of this API${there}`)
    return 3
  }
  const { source, sides, secrets } = found
  const { verdict, sights, presented, json } = verdictLines(
    sides,
    { ...terms, source },
    secrets,
    missingText(found.missing),
  )
  const { quiet, verbose } = { quiet: given.on('quiet'), verbose: given.on('verbose') }
  process.stdout.write(`${[verdict, ...sights].join('\n')}\n${quiet ? '' : '\n'}`)
  // The lines printed above are not repeated here; in files they are a note.
  const above: readonly string[] = [verdict, ...sights]
  const notes = presented.notes.filter((note) => !above.includes(note))
  printReport({ ...presented, notes }, { quiet, verbose })
  writeReportFiles(reports, json, presented)
  if (presented.outcome === 'failed') return 1
  if (presented.outcome === 'inconclusive') return 3
  if (found.sides.service?.requests !== 0) return 0
  logError('judge', `no answer in ${file} has a body, so nothing was judged of the service; --side client is`)
  return 3
}

/**
 * Judges a file; undefined if nothing in it is a request of this API.
 * @throws UsageError for a file that is no recording.
 */
async function judge(file: string, baseUrl: string | undefined, terms: RecordingJudgementSettings) {
  const { chunks, history, attached } = await openRecording(file)
  return readOrThrowUsageError(`cannot judge ${file}`, async () => {
    if (history !== undefined)
      return {
        source: file,
        sides: judgeServiceByHistory(historyFromNdjson(history), terms),
        secrets: [],
        missing: [],
      }
    const advice = '--base-url says which of them to judge'
    const missing = new Set<string>()
    const noting = (name: string) => {
      const content = attached(name)
      if (content === undefined) missing.add(name)
      return content
    }
    const reader = createHarEntriesReader({ wanted: baseUrl, advice, attached: noting, decompress })
    const secrets = new Set<string>()
    let judgement: ReturnType<typeof createRecordingJudge> | undefined
    for await (const entry of readRecordedExchanges(chunks, reader)) {
      for (const secret of secretsInRecording([entry])) secrets.add(secret)
      judgement ??= createRecordingJudge({ ...terms, source: reader.baseUrl ?? file })
      judgement.take([entry])
      judgement.relieve()
    }
    judgement?.judge()
    const source = reader.baseUrl ?? file
    return judgement && { source, sides: judgement.sides(), secrets, missing: [...missing] }
  })
}

/** Lines that name the files with bodies that are missing; empty if none are. */
function missingText([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return []
  const count = countWithNoun(1 + others.length, 'file')
  return [`Not beside the recording, which names them: ${count} with bodies, such as ${first}.`]
}
