/** Errors in other words: clients branch on `error`, and on 422 and 500 even that is open (§7). */
import type { SeededRandom } from '../core/random.ts'
import { happens, pick } from './draws.ts'

const messages = [
  'Das ging leider nicht. Bitte lies die Hinweise und versuche es dann anders.',
  'Sorry! Something about this request is not quite right; details are in your dashboard.',
  '申し訳ありません。この要求は受け付けられません。',
  'success was not achieved: unauthorized? no_credits? busy? Ask support, they know.',
] as const

/** Codes where the specification names none. */
const codes: Readonly<Record<number, readonly [string, ...string[]]>> = {
  422: ['validation_failed', 'unprocessable', 'E_SCHEMA'],
  500: ['oops', 'internal', 'E_UNKNOWN'],
}

/** The body of an error in other words. */
export function reworded(random: SeededRandom, status: number, body: object): object {
  const open = codes[status]
  return {
    ...body,
    ...(open && happens(random, 0.7) ? { error: pick(random, open) } : {}),
    ...(happens(random, 0.5) ? { message: pick(random, messages) } : {}),
  }
}
