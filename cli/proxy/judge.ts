/** The judge of a proxy, in a process of its own: what is forwarded does not wait for it. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { counted } from '#reporting/markup.ts'
import { wordsOf } from '#reporting/outcome.ts'
import { resultText } from '#reporting/render/text.ts'
import { harEntryOf, harOf } from '#traffic/har.ts'
import { valuesOf } from '#traffic/http1.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { located, type Recorded, secretsIn } from '#traffic/recording.ts'
import { Redaction, redacted, redactedAs, type Secret } from '#traffic/redaction.ts'
import type { Given } from '../flags.ts'
import { Judgement } from '../judge/judgement.ts'
import { type ProxyOptions, readProxyOptions } from '../judge/options.ts'
import { told } from '../judge/verdict.ts'
import { printReport, writeReportFiles } from '../reports.ts'
import type { Passed } from './forward.ts'

/**
 * What the proxy says to it: exchanges, until when there will be no others, and how many it could not tell; a question
 * for the report; the end.
 */
export type ToJudge =
  | { readonly exchanges: readonly Passed[]; readonly until: number; readonly missed: number }
  | { readonly ask: 'report' | 'end' }

/** What it says: that it is there, how many exchanges it has taken in, the report. */
export type FromJudge = { readonly taken: number } | { readonly report: string }

/** So many requests are judged at once, at most; so many wait for it. More come too fast to be judged. */
const [part, mostWaiting] = [2_000, 40_000]
/** ms between two judgements. */
const pause = 250

/** Runs with the flags of the proxy until that ends it, or has ended. */
export function runProxyJudge(given: Given): undefined {
  const judge = new ProxyJudge(readProxyOptions(given))
  const say = (message: FromJudge) => process.send?.(message)
  // The proxy gets the same signal, and says what is to be done.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit(judge.end()))
  process.on('message', (message: ToJudge) => {
    if ('exchanges' in message) {
      judge.take(message)
      say({ taken: message.exchanges.length })
    } else if (message.ask === 'report') say({ report: judge.report() })
    else process.exit(judge.end())
  })
  say({ taken: 0 })
}

class ProxyJudge {
  readonly #options: ProxyOptions
  readonly #recorder: Recorder
  readonly #judgement: Judgement
  #until = 0
  #unjudged = 0
  #missed = 0
  #timer: NodeJS.Timeout | undefined
  readonly #printed = new Set<string>()

  constructor(options: ProxyOptions) {
    this.#options = options
    this.#recorder = new Recorder(options.upstream, options.har)
    this.#judgement = new Judgement(options.terms)
  }

  take({ exchanges, until, missed }: Extract<ToJudge, { until: number }>): void {
    const recorded = this.#recorder.record(exchanges)
    const fitting = recorded.slice(0, Math.max(0, mostWaiting - this.#judgement.waiting))
    this.#unjudged += recorded.length - fitting.length
    this.#judgement.take(fitting)
    this.#until = until
    this.#missed = missed
    this.#timer ??= setTimeout(() => this.#judge(), pause)
  }

  /** What came out of everything that has passed, as JSON. */
  report(): string {
    this.#judgeAll()
    return JSON.stringify(this.#told().json)
  }

  /** Prints and writes the verdict; returns the exit code. */
  end(): number {
    this.#until = Number.POSITIVE_INFINITY
    this.#judgeAll()
    this.#recorder.close()
    const { reports, failOn, quiet } = this.#options
    const { verdict, presented, json } = this.#told()
    process.stdout.write(`${verdict}\n`)
    if (presented.results.length > 0) printReport(presented, { quiet, verbose: false })
    writeReportFiles(reports, json, presented)
    if (failOn === 'never') return 0
    return presented.results.length === 0 ? 3 : presented.outcome === 'failed' ? 1 : 0
  }

  #judgeAll(): void {
    while (this.#judge());
    this.#judgement.judge(this.#until)
  }

  /** Whether there may be more to judge at once. */
  #judge(): boolean {
    clearTimeout(this.#timer)
    const isMore = this.#judgement.judge(this.#until, part) > 0
    this.#timer = isMore ? setTimeout(() => this.#judge()) : undefined
    this.#printNew()
    return isMore
  }

  #told() {
    const unjudged = this.#unjudged + this.#missed
    const notes = unjudged > 0 ? [`${counted(unjudged, 'request')} came too fast to be judged.`] : []
    const values = this.#recorder.secrets.map(({ value }) => value)
    return told(this.#judgement.sides(), this.#options.terms, values, notes)
  }

  #printNew(): void {
    if (this.#options.quiet) return
    const { service, client } = this.#judgement.sides()
    const broken = [...(service?.requirements ?? []), ...(client?.rules ?? [])]
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
      .filter(({ id }) => !this.#printed.has(id))
    if (broken.length === 0) return
    for (const { id } of broken) this.#printed.add(id)
    for (const result of this.#told().presented.results)
      if (broken.some(({ id }) => id === result.id))
        process.stdout.write(`${wordsOf(result.outcome)}  ${resultText(result)}\n\n`)
  }
}

/** A longer text is not judged, bytes. */
const longest = 16_000_000
/** So many credentials are told apart and kept out of recordings. */
const mostSecrets = 10_000

/** A HAR without entries, before and after the place where they stand. */
const [start, end] = [JSON.stringify(harOf([])).slice(0, -3), '\n]}}\n']

class Recorder {
  /** The credentials that were sent or shown, with their names. */
  readonly #secrets = new Map<string, Secret>()
  readonly #upstream: URL
  readonly #har: { readonly file: number; end: number } | undefined
  #number = 0

  /** @throws the error of the system where the file cannot be written. */
  constructor(upstream: URL, file: string | undefined) {
    this.#upstream = upstream
    if (file === undefined) return
    this.#har = { file: openSync(file, 'w', 0o600), end: 0 }
    this.#write(start)
  }

  get secrets(): readonly Secret[] {
    return [...this.#secrets.values()]
  }

  /** Writes what has passed; returns what of it is of this API. */
  record(exchanges: readonly Passed[]): Recorded[] {
    const recorded = exchanges.map((one) => recordedOf(one, this.#upstream, ++this.#number))
    const ofApi = recorded.map((one) => located(one)?.recorded)
    const found = ofApi.filter((one) => one !== undefined)
    for (const value of secretsIn(found))
      if (this.#secrets.size < mostSecrets && !this.#secrets.has(value))
        this.#secrets.set(value, { value, name: redactedAs(this.#secrets.size + 1) })
    if (!this.#har) return found
    const redaction = new Redaction(this.secrets)
    const entries = recorded.map((one, i) =>
      JSON.stringify(this.#entryOf(one, ofApi[i]?.operation ?? null, redaction)),
    )
    if (entries.length > 0) this.#write(`${this.#har.end > start.length ? ',' : ''}\n${entries.join(',\n')}`)
    return found
  }

  close(): void {
    if (this.#har) closeSync(this.#har.file)
  }

  /** Adds to the file, which is a whole HAR at any time. */
  #write(text: string): void {
    if (!this.#har) return
    writeSync(this.#har.file, text + end, this.#har.end)
    this.#har.end += Buffer.byteLength(text)
  }

  #entryOf(one: Sent, operation: JournalEntry['operation'], redaction: Redaction): object {
    const { number, method, url, at, duration_ms, status, text } = one
    const journal: JournalEntry = {
      ...{ id: `entry_${number}`, follows: null, number, org_id: null, key_id: null, method, url },
      operation,
      headers: Object.entries(one.requestHeaders).flat(),
      body: one.requestBody ?? null,
      ...{ status, answerHeaders: one.headers, answer: text ?? '', error: null, reason: null, wire: null },
      ...{ variant: 'first', at, duration_ms },
    }
    const { request, response, _organization, _error, ...entry } = harEntryOf(journal, redaction)
    const headers = request.headers.map(({ name, value }) => ({
      name,
      value: this.#named(name, one.requestHeaders[name]) ?? value,
    }))
    const { mimeType } = response.content
    const content = text === undefined ? { size: -1, mimeType } : response.content
    return { ...entry, request: { ...request, headers }, response: { ...response, content } }
  }

  /** A header with credentials by their names, so that requests of several stay apart; undefined: it holds none. */
  #named(header: string, value = ''): string | undefined {
    const nameOf = (secret: string) => this.#secrets.get(secret)?.name ?? redacted
    if (header === 'authorization') {
      const [scheme, ...rest] = value.split(/\s+/)
      return [scheme, ...rest.map(nameOf)].join(' ')
    }
    if (header !== 'cookie') return undefined
    const cookies = value.split(/;\s*/).map((pair) => pair.split(/=(.*)/s, 2))
    return cookies.map(([name = '', secret = '']) => `${name}=${nameOf(secret)}`).join('; ')
  }
}

type Sent = Omit<Recorded, 'operation'>

function recordedOf(passed: Passed, upstream: URL, number: number): Sent {
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
  valuesOf(headers, 'content-length').some((length) => length !== '0')

function lowered(headers: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (let i = 0; i + 1 < headers.length; i += 2)
    found[headers[i]?.toLowerCase() ?? ''] = headers[i + 1] ?? ''
  return found
}

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
  const codings = valuesOf(headers, 'content-encoding').flatMap((value) =>
    value.toLowerCase().split(/\s*,\s*/),
  )
  try {
    let plain = bytes
    for (const coding of codings.reverse()) {
      if (coding === 'identity') continue
      const decode = decoders[coding]
      if (!decode) return undefined
      plain = decode(plain, { maxOutputLength: longest })
    }
    return Buffer.from(plain).toString()
  } catch {
    return undefined
  }
}
