/** `judge`: what recorded traffic says of a service and of its clients. Exit codes: 0, 1 violation, 2 usage, 3 nothing of this API. */
import { setFlagsFromString } from 'node:v8'
import { readHistory } from '#contract-tests/model/index.ts'
import { createEntryReader, secretsIn } from '#traffic/recording.ts'
import { readAs, UsageError } from '../files.ts'
import type { Given } from '../flags.ts'
import { deliver } from '../reports.ts'
import { tell } from '../screen.ts'
import { judgeEvents, judgementOf } from './judgement.ts'
import { readTerms, type Terms } from './options.ts'
import { openRecording, recordedIn } from './recording-file.ts'
import { told } from './verdict.ts'

export async function runJudge(given: Given): Promise<number> {
  // What was judged is garbage: neither the heap nor its young generation need grow with a recording.
  for (const flag of ['--heap-growing-percent=60', '--semi-space-growth-factor=1']) setFlagsFromString(flag)
  const [file, ...others] = given.operands
  if (file === undefined || others.length > 0)
    throw new UsageError('needs one recording: a HAR, or - for standard input')
  const flags = { strict: given.on('strict'), withStrength: given.on('strength') }
  const terms = { source: file, ...readTerms(given), ...flags }
  if (terms.withStrength && terms.side === 'client')
    throw new UsageError('--strength is of a verdict on the service')
  const reports = given.reports()
  const found = await judge(file, given.url('baseUrl'), terms)
  if (found === undefined) {
    const there = given.url('baseUrl') ? ' to that base URL' : ''
    tell('judge', `nothing in ${file} is a request of this API${there}`)
    return 3
  }
  const { verdict, presented, json } = told(found.sides, { ...terms, source: found.source }, found.secrets)
  const { quiet, verbose } = { quiet: given.on('quiet'), verbose: given.on('verbose') }
  process.stdout.write(`${verdict}\n${quiet ? '' : '\n'}`)
  deliver(presented, json, { reports, quiet, verbose })
  if (presented.outcome === 'failed') return 1
  if (found.sides.service?.requests !== 0) return 0
  tell('judge', `no answer in ${file} has a body, so nothing was judged of the service; --side client is`)
  return 3
}

/** Judges a file; undefined: nothing in it is a request of this API. @throws UsageError for a file that is no recording. */
async function judge(file: string, baseUrl: string | undefined, terms: Terms) {
  const { chunks, history, attached } = await openRecording(file)
  return readAs(`cannot judge ${file}`, async () => {
    if (history !== undefined)
      return { source: file, sides: judgeEvents(readHistory(history), terms), secrets: [] }
    const reader = createEntryReader(baseUrl, attached, '--base-url says which of them to judge')
    const secrets = new Set<string>()
    let judgement: ReturnType<typeof judgementOf> | undefined
    for await (const entry of recordedIn(chunks, reader)) {
      for (const secret of secretsIn([entry])) secrets.add(secret)
      judgement ??= judgementOf({ ...terms, source: reader.baseUrl ?? file })
      judgement.take([entry])
      judgement.relieve()
    }
    judgement?.judge()
    return judgement && { source: reader.baseUrl ?? file, sides: judgement.sides(), secrets }
  })
}
