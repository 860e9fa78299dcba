/** Progress while the suite runs: a live line on a terminal, plain lines elsewhere. */
import type { Progress } from '#contract-tests/judge.ts'

/** Where progress goes. */
export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Writes progress to a screen; `end` leaves the screen clean. */
export function showProgress(screen: Screen): { progress: Progress; end(): void } {
  let findings = 0
  const live: Progress = ({ requirement, outcome }, done, of) => {
    if (outcome === 'failed') findings++
    screen.write(`\r\x1b[K${done}/${of}  ${findings} failed  ${requirement.id}`)
  }
  const plain: Progress = ({ requirement, outcome }, done, of) => {
    if (outcome === 'failed' || outcome === 'harness_error')
      screen.write(`${outcome.replace('_', ' ')}: ${requirement.id}\n`)
    if (done % 50 === 0 || done === of) screen.write(`${done} of ${of} judged\n`)
  }
  return screen.isTTY
    ? { progress: live, end: () => screen.write('\r\x1b[K') }
    : { progress: plain, end: () => undefined }
}
