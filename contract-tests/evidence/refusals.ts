/** The time after a refusal in which its effect would show, if it has one all the same. */
import type { Exchange } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'

/** Time in which something that was refused and happens all the same would show, ms. */
const soon = 250

/** Waits for what is left of that time since the last of some refusals was received; without any, since now. */
export async function outwaitRefusals(t: TestContext, ...refusals: readonly Exchange[]): Promise<void> {
  const numbers = new Set(refusals.map(({ number }) => number))
  const last = t.recorder.sent.findLast(({ number }) => numbers.has(number))?.received
  await t.target.sleep(Math.max(0, (last?.ms ?? t.target.now()) + soon - t.target.now()))
}
