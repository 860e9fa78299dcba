/** Ctrl-C: the first asks the run to end and to tidy up, the second ends the process at once. */

/** Exit codes of shells for a process that a signal has ended. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

export interface Interruption {
  readonly signal: AbortSignal
  /** Undefined: not interrupted. */
  readonly exitCode: number | undefined
}

/** Listens for signals from now on; `tell` is called when one comes. */
export function listenForInterruption(tell: () => void): Interruption {
  const controller = new AbortController()
  let exitCode: number | undefined
  for (const [name, code] of Object.entries(exitCodes)) {
    process.once(name, () => {
      exitCode = code
      tell()
      controller.abort()
    })
  }
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode
    },
  }
}
