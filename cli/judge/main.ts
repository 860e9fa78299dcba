/** `judge`: what recorded traffic says of a service and of its clients. Exit codes: 0, 1 violation, 2 usage, 3 nothing of this API. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type ClientReport, isBroken } from '#client-tests/client-report.ts'
import { presentClientReport } from '#client-tests/presentation.ts'
import { judgeRecordedClients } from '#client-tests/recorded.ts'
import type { RequirementResult } from '#contract-tests/harness/outcome.ts'
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { type ModelEvent, readHistory } from '#contract-tests/model/index.ts'
import { presentConformance, presentStrength } from '#contract-tests/report/presentation.ts'
import { type ConformanceReport, createReport } from '#contract-tests/report/report.ts'
import { judgeHistory } from '#contract-tests/runner/history.ts'
import { conclude } from '#contract-tests/runner/outcome-of-run.ts'
import { exchangesOfRecording, historyOfRecording } from '#contract-tests/runner/recorded.ts'
import { withStrength } from '#contract-tests/strength/strength.ts'
import { counted } from '#reporting/counted.ts'
import { oneLine } from '#reporting/one-line.ts'
import { render } from '#reporting/render/index.ts'
import type { Report } from '#reporting/report.ts'
import { type Recorded, type Recording, readRecording, secretsIn } from '#traffic/recording.ts'
import { Redaction } from '#traffic/redaction.ts'
import manifest from '../../package.json' with { type: 'json' }
import { readCommandLine } from '../flags.ts'
import { readReportFiles, writeReportFiles } from '../report-files.ts'
import { printReport } from '../reports.ts'
import { UsageError } from '../usage-error.ts'
import { Values } from '../values.ts'
import { judgeCommand } from './flags.ts'

const suite = { name: manifest.name, version: manifest.version }

export async function runJudge(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const given = readCommandLine(judgeCommand, argv, env)
  const values = new Values(given)
  const [file, ...others] = given.operands
  if (file === undefined || others.length > 0)
    throw new UsageError('needs one recording: a HAR, or - for standard input')
  const side = values.choice('side', ['service', 'client', 'both'], 'both')
  const strict = values.on('strict')
  const settings = settingsWith({
    apiKey: '',
    variant: values.choice('variant', ['auto', 'first', 'second'], 'auto'),
    consistency: values.duration('consistency', 2_000),
  })
  const reports = readReportFiles(values.list('report'))
  const recording = read(file, values.url('baseUrl'))
  if (recording === undefined) {
    process.stderr.write(
      `judge: nothing in ${file} is a request of this API${values.url('baseUrl') ? ' to that base URL' : ''}\n`,
    )
    return 3
  }
  const { entries, source } = recording
  const isStrengthTold = values.on('strength')
  if (isStrengthTold && side === 'client') throw new UsageError('--strength is of a verdict on the service')
  const judged = side === 'client' ? undefined : judgeService(recording, settings, { strict, isStrengthTold })
  const client =
    side === 'service' || entries === undefined ? undefined : judgeRecordedClients(entries, strict)
  const redaction = new Redaction(entries ? secretsIn(entries) : [])
  const verdict = redaction.json(sentenceOn(judged?.broken, client))
  const presented = redaction.json(presentBoth(verdict, strict, judged?.report, client))
  const { quiet, verbose } = { quiet: values.on('quiet'), verbose: values.on('verbose') }
  process.stdout.write(`${verdict}\n${quiet ? '' : '\n'}`)
  printReport(presented, { quiet, verbose })
  const { outcome } = presented
  const sides = redaction.json({ service: judged?.report ?? null, client: client ?? null })
  const json = { schema_version: 1, outcome, verdict, source, ...sides }
  writeReportFiles(reports, (format) => render(format, json, presented))
  return presented.outcome === 'failed' ? 1 : 0
}

/** What a file holds. `entries`: absent in a history, which holds what the service answered and no headers. */
interface Read {
  readonly source: string
  readonly events: readonly ModelEvent[]
  readonly entries?: readonly Recorded[]
}

/** @throws UsageError for a file that is no recording. */
function read(file: string, baseUrl: string | undefined): Read | undefined {
  const text = textOf(file)
  try {
    if (/^\s*\{"kind":/.test(text)) return { source: file, events: readHistory(text) }
    const recording: Recording | undefined = readRecording(text, baseUrl)
    if (recording === undefined || recording.entries.length === 0) return undefined
    const { entries } = recording
    return { source: recording.baseUrl, events: historyOfRecording(entries), entries }
  } catch (error) {
    throw new UsageError(`cannot judge ${file}: ${oneLine((error as Error).message)}`)
  }
}

/** A longer text does not fit into a string of Node. */
const largest = 500_000_000

/** The text of a file, which may be compressed by gzip. */
function textOf(file: string): string {
  try {
    const bytes = readFileSync(file === '-' ? 0 : file)
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b
    const plain = isZipped ? gunzipSync(bytes, { maxOutputLength: largest }) : bytes
    if (plain.length > largest) throw new Error('it is larger than 500 MB')
    if (plain[0] === 0x50 && plain[1] === 0x4b) throw new Error('it is a zip archive: unpack it first')
    return plain.toString()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(
      `cannot read ${file}: ${code === 'ERR_BUFFER_TOO_LARGE' ? 'it is larger than 500 MB' : (code ?? message)}`,
    )
  }
}

function judgeService(
  { events, entries, source }: Read,
  settings: Parameters<typeof judgeHistory>[2],
  { strict, isStrengthTold }: { strict: boolean; isStrengthTold: boolean },
): { report: ConformanceReport; broken: readonly RequirementResult[] } {
  const conditions = { strict, requireComplete: false, expected: { failures: [], unexercised: [] }, skip: [] }
  const { run, judgement } = conclude(
    judgeHistory(events, source, settings, entries && exchangesOfRecording(entries)),
    conditions,
  )
  const broken = run.results.filter(({ outcome }) => outcome === 'failed')
  const report = createReport(run, judgement, suite, [])
  return { report: isStrengthTold ? withStrength(report, run, settings) : report, broken }
}

/** The verdict in a sentence. `broken`: what the service broke; undefined: it was not judged. */
function sentenceOn(
  broken: readonly RequirementResult[] | undefined,
  client: ClientReport | undefined,
): string {
  const parts = [...(broken ? [verdictOnService(broken)] : []), ...(client ? [verdictOnClient(client)] : [])]
  return `${parts.join('; ').replace(/^./, (letter) => letter.toUpperCase())}.`
}

function verdictOnService(broken: readonly RequirementResult[]): string {
  const entryOf = ({ evidence }: RequirementResult) => Math.max(...evidence.map(({ number }) => number))
  const [first] = broken.toSorted((a, b) => entryOf(a) - entryOf(b))
  if (!first) return 'the service broke nothing that the recording shows'
  const { requirement, expected, actual } = first
  const where = `first at entry ${entryOf(first)}: ${requirement.id}`
  return `the service broke ${counted(broken.length, 'requirement')}, ${where}, expected ${expected}, got ${actual}`
}

function verdictOnClient({ rules }: ClientReport): string {
  const failed = rules.filter(({ outcome }) => outcome === 'failed')
  const [first] = failed
  const [finding] = first?.findings ?? []
  if (first) return `the client broke ${counted(failed.length, 'rule')}: ${first.id}, it ${finding?.what}`
  const advice = rules.filter(isBroken).length
  return `the client broke no duty${advice > 0 ? `, and does not follow ${counted(advice, 'piece')} of advice` : ''}`
}

/** Both reports as one. */
function presentBoth(
  verdict: string,
  strict: boolean,
  service: ConformanceReport | undefined,
  client: ClientReport | undefined,
): Report {
  const parts = [
    ...(service ? [presentConformance(service)] : []),
    ...(client ? [presentClientReport(client)] : []),
  ]
  const strength = service?.strength && presentStrength(service.strength)
  const outcomes = parts.map(({ outcome }) => outcome)
  return {
    producer: suite.name,
    title: 'Recorded traffic',
    ...(service && { subject: service.target.base_url }),
    outcome: outcomes.includes('failed')
      ? 'failed'
      : outcomes.includes('passed')
        ? 'passed'
        : 'not_exercised',
    strict,
    facts: {
      ...(service && { variant: service.target.variant, requests: String(service.requests) }),
      ...strength?.facts,
    },
    properties: { ...strength?.properties },
    notes: [verdict, ...(strength?.notes ?? [])],
    parts: client?.parts ?? [],
    results: parts.flatMap(({ results }) => results),
  }
}
