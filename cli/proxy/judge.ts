/** The judge of a proxy, in a process of its own: what is forwarded does not wait for it. */
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { counted } from '#reporting/markup.ts'
import { wordsOf } from '#reporting/outcome.ts'
import { render } from '#reporting/render/index.ts'
import { resultText } from '#reporting/render/text.ts'
import type { ReportFile } from '../flags.ts'
import { Judgement, type Terms } from '../judge/judgement.ts'
import { told } from '../judge/verdict.ts'
import { printReport, writeReportFiles } from '../reports.ts'
import type { Passed } from './forward.ts'
import { Recorder } from './recorder.ts'

/** What the judge is given when it starts. */
export interface JudgeOptions {
  readonly upstream: string
  readonly har: string | undefined
  readonly side: Terms['side']
  readonly variant: 'auto' | 'first' | 'second'
  readonly consistency: number
  readonly failOn: 'error' | 'warning' | 'never'
  readonly reports: readonly ReportFile[]
  readonly isQuiet: boolean
}

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

/** Runs until the proxy ends it, or has ended. */
export function runProxyJudge(argv: readonly string[]): undefined {
  const options: JudgeOptions = JSON.parse(argv[0] ?? '')
  const judge = new ProxyJudge(options)
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
  readonly #options: JudgeOptions
  readonly #terms: Terms
  readonly #recorder: Recorder
  readonly #judgement: Judgement
  #until = 0
  #unjudged = 0
  #missed = 0
  #timer: NodeJS.Timeout | undefined
  /** The findings that were printed. */
  readonly #printed = new Set<string>()

  constructor(options: JudgeOptions) {
    const { upstream, har, side, variant, consistency, failOn } = options
    const settings = settingsWith({ apiKey: '', variant, consistency })
    this.#options = options
    this.#terms = { source: upstream, settings, strict: failOn === 'warning', side }
    this.#recorder = new Recorder(new URL(upstream), har)
    this.#judgement = new Judgement(this.#terms)
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
    const { reports, failOn, isQuiet } = this.#options
    const { verdict, presented, json } = this.#told()
    process.stdout.write(`${verdict}\n`)
    if (presented.results.length > 0) printReport(presented, { quiet: isQuiet, verbose: false })
    writeReportFiles(reports, (format) => render(format, json, presented))
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
    return told(this.#judgement.sides(), this.#terms, values, notes)
  }

  #printNew(): void {
    if (this.#options.isQuiet) return
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
