/** A mistake in the call: one line on standard error, exit code 2, no stack trace. */
export class UsageError extends Error {}
