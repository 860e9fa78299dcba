/** Progress while the suite runs: a live line in a terminal, plain lines elsewhere. */
import type { Progress } from '#contract-tests/runner/run.ts'

/** Where progress goes. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  write(text: string): unknown
}

export interface ShownProgress {
  readonly progress: Progress
  /** Shows that the run waits because the service asked for it, ms. */
  onWait(ms: number): void
  /** Clears the live line. */
  end(): void
}

/** Shorter waits are not shown, ms. */
const noticeable = 2_000

/** Writes progress to a screen. */
export function showProgress(screen: Screen): ShownProgress {
  return screen.isTTY ? liveLine(screen) : plainLines(screen)
}

function liveLine({ columns, write }: Screen): ShownProgress {
  // Some terminals report a width of 0.
  const width = columns || 80
  let failed = 0
  let shown = ''
  const show = (line: string) => write(`\r\x1b[K${line.slice(0, width - 1)}`)
  return {
    progress({ requirement, outcome }, done, of) {
      if (outcome === 'failed') failed++
      shown = `${done}/${of}  ${failed} failed  ${requirement.id}`
      show(shown)
    },
    onWait: (ms) => void (ms >= noticeable && show(`${shown}  ${waiting(ms)}`)),
    end: () => void write('\r\x1b[K'),
  }
}

function plainLines({ write }: Screen): ShownProgress {
  return {
    progress({ requirement, outcome }, done, of) {
      if (outcome === 'failed' || outcome === 'harness_error')
        write(`${outcome.replace('_', ' ')}: ${requirement.id}\n`)
      if (done % 50 === 0 || done === of) write(`${done} of ${of} judged\n`)
    },
    onWait: (ms) => void (ms >= noticeable && write(`${waiting(ms)}\n`)),
    end: () => undefined,
  }
}

const waiting = (ms: number) => `waiting ${Math.ceil(ms / 1_000)} s, as the service asks`
