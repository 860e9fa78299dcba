/** The exit code for each outcome of a report on a client. */
export const exitCodes = { passed: 0, failed: 1, not_exercised: 3 } as const
