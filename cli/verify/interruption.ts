/** Ctrl-C: the first one ends the run and cleans up, the second one ends the process at once. */

/** Exit codes that shells use for a process ended by a signal. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

export interface Interruption {
  readonly signal: AbortSignal
  /** Undefined: not interrupted. */
  readonly exitCode: number | undefined
  /** Stops listening. */
  end(): void
}

/** Listens for signals from now on; calls `report` when one arrives. */
export function listenForInterruption(report: () => void): Interruption {
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
    get exitCode() {
      return exitCode
    },
    end() {
      for (const stop of listeners) stop()
    },
  }
}
