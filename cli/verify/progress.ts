/** Progress while the suite runs: what is left, and what is waited for and why. A live line in a terminal, plain lines elsewhere. */
import type { OnAwait } from '#contract-tests/harness/patience.ts'
import type { Progress } from '#contract-tests/runner/run.ts'
import { oneLine } from '#reporting/markup.ts'

/** Where progress goes. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  write(text: string): unknown
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
export function showProgress(screen: Screen, now = () => performance.now()): ShownProgress {
  const started = now()
  /** `296 left, about 12 s`. */
  const left = (done: number, of: number) => {
    const seconds = Math.ceil(((now() - started) * (of - done)) / done / 1_000)
    return `${of - done} left${done < of && done >= enough * of ? `, about ${seconds} s` : ''}`
  }
  return screen.isTTY ? liveLine(screen, left) : plainLines(screen, left)
}

type Left = (done: number, of: number) => string

function liveLine({ columns, write }: Screen, left: Left): ShownProgress {
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

function plainLines({ write }: Screen, left: Left): ShownProgress {
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
