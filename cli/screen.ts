/** What commands that judge write to standard error while they run, and Ctrl-C. */
import type { OnAwait } from '#contract-tests/harness/patience.ts'
import type { Progress } from '#contract-tests/runner/run.ts'
import { counted, oneLine } from '#reporting/markup.ts'

/** Where it writes to. */
export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  write(text: string): unknown
}

export interface Screen {
  /** Writes a line that is needed in any case. */
  warn(line: string): void
  /** Writes a line; nothing if the screen is quiet. */
  tell(line: string): void
  /** Writes what a client printed; nothing if the screen is quiet. */
  show(text: string): void
  /** Begins to count runs, each with a call of the returned function; nothing is shown if the screen is quiet. */
  count(runs: number): () => void
  /** Ends the count. */
  end(): void
}

/** A screen without a terminal shows a line for so many runs. */
const step = 50

/** The screen on a stream. A terminal shows the progress in a line that changes. */
export function createScreen(stream: Stream, quiet: boolean): Screen {
  let live = ''
  let timer: NodeJS.Timeout | undefined
  /** Writes text in place of the live line, which moves below it. */
  const print = (text: string) => {
    const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`
    stream.write(live === '' ? whole : `\r\x1b[K${whole}${live}`)
  }
  const end = () => {
    clearInterval(timer)
    live = ''
    if (timer) stream.write('\r\x1b[K')
    timer = undefined
  }
  const countLive = (runs: number) => {
    const start = Date.now()
    let done = 0
    const draw = () => {
      const seconds = Math.round((Date.now() - start) / 1_000)
      live = `check: ${done} of ${counted(runs, 'run')}, ${seconds} s`.slice(0, (stream.columns || 80) - 1)
      print('')
    }
    draw()
    timer = setInterval(draw, 1_000).unref()
    return () => {
      done++
      if (timer) draw()
    }
  }
  const countPlainly = (runs: number) => {
    let done = 0
    return () => {
      if (++done % step === 0 && done < runs) print(`check: ${done} of ${counted(runs, 'run')}`)
    }
  }
  const warn = (line: string) => print(`check: ${line}\n`)
  if (quiet) return { warn, tell: () => undefined, show: () => undefined, count: () => () => undefined, end }
  return { warn, tell: warn, show: print, count: stream.isTTY ? countLive : countPlainly, end }
}

interface ShownProgress {
  readonly progress: Progress
  /** Shows that the run waits because the service asked for it, ms. */
  onWait(ms: number): void
  /** Says why a wait that the service asked for is not waited for. */
  onNoWait(why: string): void
  /** Shows what the run waits for, such as a run to end. */
  readonly onAwait: OnAwait
  /** Clears the live line. */
  end(): void
}

/** Shorter waits are not shown, ms. */
const noticeable = 2_000
/** The part of the checks after which the time that is left can be estimated. */
const enough = 0.1

/** Writes progress to a screen. `now`: ms. */
export function showProgress(screen: Stream, now = () => performance.now()): ShownProgress {
  const started = now()
  /** `296 left, about 12 s`. */
  const left = (done: number, of: number) => {
    const seconds = Math.ceil(((now() - started) * (of - done)) / done / 1_000)
    return `${of - done} left${done < of && done >= enough * of ? `, about ${seconds} s` : ''}`
  }
  return screen.isTTY ? liveLine(screen, left) : plainLines(screen, left)
}

type Left = (done: number, of: number) => string

function liveLine({ columns, write }: Stream, left: Left): ShownProgress {
  // Some terminals report a width of 0.
  const width = columns || 80
  let failed = 0
  let shown = ''
  const show = (line: string) => write(`\r\x1b[K${line.slice(0, width - 1)}`)
  return {
    progress({ requirement, outcome }, done, of) {
      if (outcome === 'failed') failed++
      shown = `${done}/${of}  ${failed} failed  ${left(done, of)}`
      show(`${shown}  ${requirement.id}`)
    },
    onWait: (ms) => void (ms >= noticeable && show(`${shown}  ${asAsked(ms)}`)),
    onNoWait: (why) => void write(`\r\x1b[K${oneLine(why)}\n`),
    onAwait: (event, within) => void show(`${shown}  ${awaited(event, within)}`),
    end: () => void write('\r\x1b[K'),
  }
}

function plainLines({ write }: Stream, left: Left): ShownProgress {
  let rest = ''
  return {
    progress({ requirement, outcome }, done, of) {
      if (outcome === 'failed' || outcome === 'harness_error')
        write(`${outcome.replace('_', ' ')}: ${requirement.id}\n`)
      rest = left(done, of)
      if (done === of) write(`${done} of ${of} judged\n`)
      else if (done % 50 === 0) write(`${done} of ${of} judged, ${rest}\n`)
    },
    onWait: (ms) => void (ms >= noticeable && write(`${asAsked(ms)}\n`)),
    onNoWait: (why) => void write(`${oneLine(why)}\n`),
    onAwait: (event, within) => void write(`${awaited(event, within)}${rest && `; ${rest}`}\n`),
    end: () => undefined,
  }
}

const seconds = (ms: number) => Math.ceil(ms / 1_000)
const asAsked = (ms: number) => `waiting ${seconds(ms)} s, as the service asks`
const awaited = (event: string, within: number) => `waiting for ${event}, at most ${seconds(within)} s`

/** Exit codes that shells use for a process ended by a signal. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

export type Interruption = ReturnType<typeof listenForInterruption>

/** Listens for signals from now on; calls `report` when one arrives. */
export function listenForInterruption(report: () => void) {
  const controller = new AbortController()
  let exitCode: number | undefined
  const listeners = Object.entries(exitCodes).map(([name, code]) => {
    const listener = () => {
      exitCode = code
      report()
      controller.abort()
    }
    process.once(name, listener)
    return () => process.off(name, listener)
  })
  return {
    signal: controller.signal,
    /** Undefined: not interrupted. */
    get exitCode(): number | undefined {
      return exitCode
    },
    /** Stops listening. */
    end() {
      for (const stop of listeners) stop()
    },
  }
}
