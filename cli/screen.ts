/** Progress of commands that judge, on standard error, and Ctrl-C. */
import type { OnLongWait } from '#contract-tests/harness/deadlines.ts'
import type { ResultListener } from '#contract-tests/runner/run.ts'
import { countWithNoun, printableLine } from '#reporting/markup.ts'

/** An output stream of a command: standard output or standard error. */
export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  write(text: string): unknown
}

/** Prints a line on standard error, with the name of the command before it. */
export const logError = (command: string, text: string) =>
  void process.stderr.write(`${command}: ${printableLine(text)}\n`)

/** Prints why a command cannot listen at an address; returns exit code 3. */
export function logListenError(command: string, address: string, error: unknown): 3 {
  const { code } = error as NodeJS.ErrnoException
  const why = code === 'EADDRINUSE' ? 'the port is in use; --port 0 picks a free one' : (code ?? error)
  logError(command, `cannot listen on ${address}: ${why}`)
  return 3
}

/** Prints a text on standard output as the last action of a command. */
export function printText(text: string): undefined {
  process.stdout.write(text)
}

/** Creates a status line that stays below all other lines of a stream, if the stream is a terminal. */
export function createStatusLine(stream: OutputStream) {
  let live = ''
  return {
    isTTY: stream.isTTY === true,
    /** Writes lines above the status line. */
    print(text: string): void {
      const whole = text.endsWith('\n') ? text : `${text}\n`
      stream.write(live === '' ? whole : `\r\x1b[K${whole}${live}`)
    },
    /** Replaces the status line, cut to the width of the terminal; some terminals report a width of 0. */
    show(line: string): void {
      live = line.slice(0, (stream.columns || 80) - 1)
      stream.write(`\r\x1b[K${live}`)
    },
    /** Removes the status line. */
    end(): void {
      if (live !== '') stream.write('\r\x1b[K')
      live = ''
    },
  }
}

/** Shortest wait that is shown, ms. */
const minShownWaitMs = 2_000
/** The part of the checks after which the time that is left can be estimated. */
const minShareForEstimate = 0.1

/** Without a terminal, a line is written after so many runs or checks. */
const progressStep = 50

/** The display of a command on standard error: progress, warnings and errors. */
export type CommandDisplay = ReturnType<typeof createCommandDisplay>

/** Creates the display of a command on a stream; with `quiet` it shows warnings only. */
export function createCommandDisplay(stream: OutputStream, quiet: boolean) {
  const line = createStatusLine(stream)
  let timer: NodeJS.Timeout | undefined
  return {
    /** Writes a warning, even if the screen is quiet. */
    warn: (text: string) => line.print(`check: ${text}`),
    logError: (text: string) => void (quiet || line.print(`check: ${text}`)),
    show: (text: string) => void (quiet || text === '' || line.print(text)),
    /** Begins to count runs; returns the function to call after each. */
    count(runs: number): () => void {
      const start = Date.now()
      let done = 0
      const left = () => {
        const seconds = Math.ceil(((Date.now() - start) * (runs - done)) / done / 1_000)
        return done < runs && done >= minShareForEstimate * runs ? `, about ${seconds} s left` : ''
      }
      const shown = () => `check: ${done} of ${countWithNoun(runs, 'run')}`
      const draw = () => line.show(`${shown()}, ${Math.round((Date.now() - start) / 1_000)} s${left()}`)
      if (line.isTTY && !quiet) {
        draw()
        timer = setInterval(draw, 1_000).unref()
      }
      return () => {
        done++
        if (timer) draw()
        else if (!quiet && !line.isTTY && done % progressStep === 0 && done < runs)
          line.print(shown() + left())
      }
    },
    end(): void {
      clearInterval(timer)
      timer = undefined
      line.end()
    },
  }
}

/** Creates the listeners that show the progress of a run of the suite on a stream. `now`: the time, ms. */
export function createProgressDisplay(screen: OutputStream, now = () => performance.now()) {
  const line = createStatusLine(screen)
  const started = now()
  let [failed, shown, left] = [0, '', '']
  const say = (text: string) => (line.isTTY ? line.show(`${shown}  ${text}`) : line.print(text))
  const progress: ResultListener = ({ requirement, outcome }, done, of) => {
    const seconds = Math.ceil(((now() - started) * (of - done)) / done / 1_000)
    left = `${of - done} left${done < of && done >= minShareForEstimate * of ? `, about ${seconds} s` : ''}`
    if (outcome === 'failed') failed++
    shown = `${done}/${of}  ${failed} failed  ${left}`
    if (line.isTTY) return line.show(`${shown}  ${requirement.id}`)
    if (['failed', 'suspected', 'harness_error'].includes(outcome))
      line.print(`${outcome.replace('_', ' ')}: ${requirement.id}`)
    if (done === of) line.print(`${done} of ${of} judged`)
    else if (done % progressStep === 0) line.print(`${done} of ${of} judged, ${left}`)
  }
  const onAwait: OnLongWait = (event, within) => {
    const rest = line.isTTY || left === '' ? '' : `; ${left}`
    say(`waiting for ${event}, at most ${secondsOf(within)} s${rest}`)
  }
  return {
    progress,
    /**
     * Shows that the run waits, for `ms`, since the service refuses requests. `isAsked`: the service asked for that
     * time.
     */
    onWait(ms: number, isAsked: boolean): void {
      const why = isAsked ? 'as the service asks' : 'since it refuses and does not say for how long'
      if (ms >= minShownWaitMs) say(`waiting ${secondsOf(ms)} s, ${why}`)
    },
    /** Shows why the run does not wait as long as the service asked. */
    onNoWait: (why: string) => line.print(printableLine(why)),
    onAwait,
    end: line.end,
  }
}

const secondsOf = (ms: number) => Math.ceil(ms / 1_000)

/** Exit codes that shells use for a process ended by a signal. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * The result of `listenForInterruption`: an abort signal, the exit code once a process signal has arrived, and a way to
 * stop listening.
 */
export type InterruptionListener = ReturnType<typeof listenForInterruption>

/** Starts to listen for process signals such as Ctrl-C; calls `report` when one arrives. */
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
    /** The exit code for the signal; undefined: not interrupted. */
    get exitCode(): number | undefined {
      return exitCode
    },
    end() {
      for (const stop of listeners) stop()
    },
  }
}
