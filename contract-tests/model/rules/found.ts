/** How rules put what they find. */
import type { Finding } from '../violation.ts'

/** `true` where a fact holds, else an objection. `because`: the events that it rests on. */
export const hold = (
  fact: boolean,
  expected: string,
  actual: string,
  ...because: readonly number[]
): Finding => fact || { expected, actual, because }
