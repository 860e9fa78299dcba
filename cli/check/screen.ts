/** What `check` writes to standard error while it runs: lines, what clients print, and its progress. */
import { counted } from '#reporting/markup.ts'

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
