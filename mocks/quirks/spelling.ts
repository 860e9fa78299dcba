/** The same answer, spelt in another way: JSON, media types and names of headers have many spellings. */
import type { SeededRandom } from '../core/random.ts'
import { pick, shuffled } from './draws.ts'

/** Media types that all say JSON (RFC 9110 §8.3). */
export const mediaTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON; Charset="utf-8"',
] as const

const escaped = (text: string) =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const writings = [
  (body: object) => JSON.stringify(body),
  (body: object) => JSON.stringify(body, null, 2),
  (body: object) => `\r\n\t ${JSON.stringify(body)}\n`,
  (body: object) => escaped(JSON.stringify(body)),
  (body: object) => JSON.stringify(body).replaceAll('/', '\\/'),
] as const

/** JSON text of a body. */
export function written(random: SeededRandom, body: object): string {
  return pick(random, writings)(body)
}

/** An object with its fields in another order. */
export function reordered(random: SeededRandom, fields: object): object {
  return Object.fromEntries(shuffled(random, Object.entries(fields)))
}

const spellings = [
  (name: string) => name,
  (name: string) => name.toUpperCase(),
  (name: string) =>
    name.replace(/(^|-)(\w)/g, (_, dash: string, letter: string) => dash + letter.toUpperCase()),
  (name: string) => name.replace(/\w/g, (letter, at: number) => (at % 2 ? letter : letter.toUpperCase())),
] as const

/** Headers with their names in another case (RFC 9110 §5.1). */
export function respelt(
  random: SeededRandom,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const spell = pick(random, spellings)
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [spell(name), value]))
}
