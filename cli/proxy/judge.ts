/** The judge of a proxy, in a process of its own: what is forwarded does not wait for it. */
import { ftruncateSync, openSync, statSync, writeSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import {
  createRecordingJudge,
  type RecordingJudgement,
  totalBodyLengthOf,
  unjudgedTrafficLimits,
} from '#mocks/edges/recording/judgement.ts'
import type { RecordingJudgementSettings } from '#mocks/edges/recording/terms.ts'
import { credentialVariableNotes, verdictLines } from '#mocks/edges/recording/verdict.ts'
import { countWithNoun } from '#reporting/markup.ts'
import { outcomeWordsOf } from '#reporting/outcome.ts'
import { resultText } from '#reporting/render/text.ts'
import { harOf, redactedHarEntryOf } from '#traffic/har.ts'
import { headerValues } from '#traffic/http1.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { credentialsInRecording, type RecordedExchange, recognizeApiRequest } from '#traffic/recording.ts'
import {
  headerPairsOf,
  headerWithoutSecret,
  type NamedSecret,
  numberedRedactionPlaceholder,
  redactionPlaceholder,
  SecretRedactor,
  secretsInHeader,
} from '#traffic/redaction.ts'
import { isSecretName } from '#traffic/secret-names.ts'
import { accessFileOrThrow, valueOrFallback } from '../files.ts'
import type { GivenOptions } from '../flags.ts'
import { readProxyOptions } from '../judge/options.ts'
import { printReport, writeReportFiles } from '../reports.ts'
import { logError } from '../screen.ts'
import type { ForwardedExchange } from './forward.ts'

/**
 * A message of the proxy process to the judging process: exchanges, how many could not be sent, a question for the
 * report, or the end.
 */
export type MessageToJudge =
  | { readonly exchanges: readonly ForwardedExchange[]; readonly until: number; readonly missed: number }
  | { readonly ask: 'report' | 'end' }

/**
 * A message of the judging process to the proxy process: that it is ready, how many exchanges it has taken in, or the
 * report.
 */
export type MessageFromJudge = { readonly taken: number } | { readonly report: string }

/** Most requests that are judged at once, and most that may wait; further ones come too fast and are not judged. */
const [part, mostWaiting] = [2_000, 40_000]
/** Time between two judgements, ms. */
const pause = 250

/** Runs the judging process of `proxy` until it is stopped; returns the exit code. @throws UsageError */
export async function runJudgingProcess(given: GivenOptions): Promise<number> {
  const { upstream, har, terms, reports, failOn, quiet } = readProxyOptions(given)
  const recorder = recordTo(har, upstream)
  const judgement = createRecordingJudge(terms)
  const whole = smallRecording(terms)
  const printed = new Set<string>()
  let [until, unjudged, missed] = [0, 0, 0]
  let timer: NodeJS.Timeout | undefined

  function take(message: Extract<MessageToJudge, { until: number }>): void {
    const recorded = recorder.record(message.exchanges)
    const fitting = recorded.slice(0, Math.max(0, mostWaiting - judgement.waiting()))
    unjudged += recorded.length - fitting.length
    judgement.take(fitting)
    whole.take(fitting)
    ;({ until, missed } = message)
    timer ??= setTimeout(judge, pause)
  }

  /** Judges the next requests; returns true if more are waiting. */
  function judge(): boolean {
    clearTimeout(timer)
    const isMore = judgement.judge(until, part) > 0
    timer = isMore ? setTimeout(judge) : undefined
    printNew()
    return isMore
  }

  function judgeAll(): void {
    while (judge());
    judgement.judge(until)
  }

  function toldNow(sides = judgement.sides()) {
    const left = unjudged + missed
    const notes = left > 0 ? [`${countWithNoun(left, 'request')} came too fast to be judged.`] : []
    return verdictLines(sides, terms, recorder.secrets.keys(), notes)
  }

  function printNew(): void {
    if (quiet) return
    const { service, client } = judgement.sides()
    const broken = [...(service?.requirements ?? []), ...(client?.rules ?? [])]
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
      .filter(({ id }) => !printed.has(id))
    if (broken.length === 0) return
    for (const { id } of broken) printed.add(id)
    const results = toldNow().presented.results.filter((result) => broken.some(({ id }) => id === result.id))
    for (const result of results)
      process.stdout.write(`${outcomeWordsOf(result.outcome)}  ${resultText(result)}\n\n`)
    for (const note of credentialVariableNotes(results)) {
      if (!printed.has(note)) process.stdout.write(`${note}\n\n`)
      printed.add(note)
    }
  }

  /** Returns the report on all traffic so far, as JSON. */
  function report(): string {
    judgeAll()
    return JSON.stringify(toldNow(whole.sides()).json)
  }

  /** Prints and writes the verdict; returns the exit code. */
  function end(): number {
    until = Number.POSITIVE_INFINITY
    judgeAll()
    const { verdict, sights, presented, json } = toldNow(whole.sides())
    process.stdout.write(`${[verdict, ...sights].join('\n')}\n`)
    if (presented.results.length > 0) printReport(presented, { quiet, verbose: false })
    writeReportFiles(reports, json, presented)
    if (failOn !== 'never' && presented.outcome === 'failed') return 1
    const isVain = json.service ? json.service.requests === 0 : presented.results.length === 0
    if (isVain && json.service)
      logError('proxy', 'no answer came whole, so nothing was judged of the service')
    const isOpen = isVain || presented.outcome === 'inconclusive'
    return (failOn !== 'never' && isOpen) || recorder.isCut() ? 3 : 0
  }

  const say = (message: MessageFromJudge) => process.send?.(message)
  // The proxy gets the same signal, and tells this process when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  await new Promise<void>((resolve) => {
    process.on('disconnect', resolve)
    process.on('message', (message: MessageToJudge) => {
      if ('exchanges' in message) {
        take(message)
        say({ taken: message.exchanges.length })
      } else if (message.ask === 'report') say({ report: report() })
      else resolve()
    })
    say({ taken: 0 })
  })
  process.channel?.unref()
  return end()
}

/**
 * Keeps the traffic while it fits into one batch of `judge`: only a later request may tell who sent an early one.
 * `sides`: the judgement of all of it; undefined: there was more.
 */
function smallRecording(terms: RecordingJudgementSettings) {
  let [kept, length]: [RecordedExchange[] | undefined, number] = [[], 0]
  return {
    take(entries: readonly RecordedExchange[]): void {
      for (const one of entries) length += totalBodyLengthOf(one)
      kept?.push(...entries)
      if ((kept?.length ?? 0) >= unjudgedTrafficLimits.requests || length >= unjudgedTrafficLimits.characters)
        kept = undefined
    },
    sides(): RecordingJudgement | undefined {
      if (kept === undefined) return undefined
      const judgement = createRecordingJudge(terms)
      judgement.take(kept)
      judgement.judge()
      return judgement.sides()
    },
  }
}

/** Longest text that is judged, bytes. */
const longest = 16_000_000
/** Most credentials that are told apart and kept out of recordings. */
const mostSecrets = 10_000

/** Matches ids and prefixes in answers, which identify resources and are no credentials. */
const shownValue = /"(?:id|prefix)"\s*:\s*(?:"([^"\\]+)"|(-?\d[\d.eE+-]*))/g
const mostShown = 100_000

/** The parts of a HAR before and after its entries. */
const [start, end] = [JSON.stringify(harOf([])).slice(0, -3), '\n]}}\n']

/** Records what passes to a HAR, if there is a file for it. @throws UsageError where that cannot be written. */
function recordTo(file: string | undefined, upstream: URL) {
  /**
   * The names of the credentials that were sent or shown, and the secrets among them, which are hidden wherever they
   * occur.
   */
  const names = new Map<string, string>()
  const secrets = new Map<string, NamedSecret>()
  /** Ids and prefixes of keys that answers have shown: sent as a credential, they are no secret. */
  const shown = new Set<string>()
  let [number, length, isCut] = [0, start.length, false]
  let har: number | undefined
  // An earlier recording stays until there is something to replace it.
  if (file !== undefined && !statSync(file, { throwIfNoEntry: false })?.size)
    har = accessFileOrThrow('write', file, () => emptyHar(file))

  /**
   * Appends to the file, which is a complete HAR after each call; if that fails, the HAR ends with what it held before.
   */
  function write(path: string, text: string): void {
    try {
      har ??= emptyHar(path)
      writeAt(har, text + end, length)
      length += Buffer.byteLength(text)
    } catch (error) {
      isCut = true
      // A second failure leaves nothing to do.
      valueOrFallback(undefined, () => {
        if (har === undefined) return
        ftruncateSync(har, length)
        writeAt(har, end, length)
      })
      logError('proxy', `cannot write ${path}: ${(error as NodeJS.ErrnoException).code}; the recording ends`)
    }
  }

  /** A header with credentials by their names, so that requests of several stay apart; undefined: it holds none. */
  function named(header: string, value = ''): string | undefined {
    const nameOf = (credential: string) => names.get(credential) ?? redactionPlaceholder
    if (!isSecretName(header)) return undefined
    if (header !== 'cookie')
      return headerWithoutSecret(value, nameOf(secretsInHeader(header, value)[0] ?? ''))
    const cookies = value.split(/;\s*/).map((pair) => pair.split(/=(.*)/s, 2))
    return cookies.map(([name = '', secret = '']) => `${name}=${nameOf(secret)}`).join('; ')
  }

  function entryOf(one: Sent, operation: JournalEntry['operation'], redaction: SecretRedactor): object {
    const { number, method, url, at, duration_ms, status, text } = one
    const journal: JournalEntry = {
      ...{ id: `entry_${number}`, follows: null, number, org_id: null, key_id: null, method, url },
      operation,
      headers: Object.entries(one.requestHeaders).flat(),
      body: one.requestBody ?? null,
      ...{ status, answerHeaders: one.headers, answer: text ?? '', error: null, reason: null, wire: null },
      ...{ variant: 'first', at, duration_ms },
    }
    const { request, response, _organization, _error, ...entry } = redactedHarEntryOf(journal, redaction)
    const headers = request.headers.map(({ name, value }) => ({
      name,
      value: named(name, one.requestHeaders[name]) ?? value,
    }))
    const { mimeType } = response.content
    const content = text === undefined ? { size: -1, mimeType } : response.content
    return { ...entry, request: { ...request, headers }, response: { ...response, content } }
  }

  return {
    secrets,
    /** True if the file lacks some of the traffic. */
    isCut: () => isCut,
    /** Writes exchanges to the file; returns those that belong to this API. */
    record(exchanges: readonly ForwardedExchange[]): RecordedExchange[] {
      const recorded = exchanges.map((one) => recordedOf(one, upstream, ++number))
      const ofApi = recorded.map((one) => recognizeApiRequest(one)?.recorded)
      const found = ofApi.filter((one) => one !== undefined)
      for (const { text = '' } of found)
        for (const [, quoted = '', value = quoted] of text.matchAll(shownValue))
          if (shown.size < mostShown) shown.add(value)
      for (const { value, isDistinctive } of credentialsInRecording(found))
        if (names.size < mostSecrets && value.length > 3 && !names.has(value) && !shown.has(value)) {
          names.set(value, numberedRedactionPlaceholder(names.size + 1))
          if (isDistinctive) secrets.set(value, { value, name: names.get(value) ?? redactionPlaceholder })
        }
      if (file === undefined || isCut) return found
      const redaction = new SecretRedactor(secrets.values())
      const entries = recorded.map((one, i) =>
        JSON.stringify(entryOf(one, ofApi[i]?.operation ?? null, redaction)),
      )
      if (entries.length > 0) write(file, `${length > start.length ? ',' : ''}\n${entries.join(',\n')}`)
      return found
    },
  }
}

function emptyHar(file: string): number {
  const har = openSync(file, 'w', 0o600)
  writeAt(har, start + end, 0)
  return har
}

/** Writes a whole text, even if the system takes only a part of it at a time. */
function writeAt(file: number, text: string, place: number): void {
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, place + done)
}

type Sent = Omit<RecordedExchange, 'operation'>

function recordedOf(passed: ForwardedExchange, upstream: URL, number: number): Sent {
  const { at, duration_ms, method, target, headers, body, status, answerHeaders, answer } = passed
  return {
    ...{ number, method, url: target.startsWith('/') ? upstream.origin + target : target, at, duration_ms },
    requestHeaders: lowered(headers),
    requestBody: body && (body.length > 0 || hasBody(headers)) ? textOf(body, headers) : undefined,
    status,
    headers: lowered(answerHeaders),
    text: answer && textOf(answer, answerHeaders),
  }
}

const hasBody = (headers: readonly string[]) =>
  headerValues(headers, 'content-length').some((length) => length !== '0')

const lowered = (headers: readonly string[]) =>
  Object.fromEntries(headerPairsOf(headers).map(([name, value]) => [name.toLowerCase(), value]))

const decoders: Readonly<Record<string, (bytes: Uint8Array, limit: { maxOutputLength: number }) => Buffer>> =
  {
    br: brotliDecompressSync,
    deflate: inflateSync,
    gzip: gunzipSync,
    'x-gzip': gunzipSync,
    zstd: zstdDecompressSync,
  }

/** A body as text; undefined where its coding is not known or not kept. */
function textOf(bytes: Uint8Array, headers: readonly string[]): string | undefined {
  const codings = headerValues(headers, 'content-encoding').flatMap((value) =>
    value.toLowerCase().split(/\s*,\s*/),
  )
  return valueOrFallback<string | undefined>(undefined, () => {
    let plain = bytes
    for (const coding of codings.reverse()) {
      if (coding === 'identity') continue
      const decode = decoders[coding]
      if (!decode) return undefined
      plain = decode(plain, { maxOutputLength: longest })
    }
    return Buffer.from(plain).toString()
  })
}
