/** Ctrl-C: the first one ends the run and cleans up, the second one ends the process at once. */

/** Exit codes that shells use for a process ended by a signal. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

export interface Interruption {
  readonly signal: AbortSignal
  /** Undefined: not interrupted. */
  readonly exitCode: number | undefined
}

/** Listens for signals from now on; calls `report` when one arrives. */
export function listenForInterruption(report: () => void): Interruption {
  const controller = new AbortController()
  let exitCode: number | undefined
  for (const [name, code] of Object.entries(exitCodes)) {
    process.once(name, () => {
      exitCode = code
      report()
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
