/** The quirks of one answer: what several of them make of it together. */
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { SeededRandom } from '../core/random.ts'
import { otherThan, serialize } from '../handlers/respond.ts'
import type { Quirk } from './quirk.ts'
import type { ResponseQuirks } from './quirks.ts'

/** What quirks make of an answer of an operation; null: of what is no operation. */
export function responseQuirks(
  active: readonly Quirk[],
  variant: Variant,
  operation: OperationId | null,
  random: SeededRandom,
): ResponseQuirks {
  const other = otherThan(variant)
  const spell = active.find((quirk) => quirk.spell)?.spell
  const write = active.find((quirk) => quirk.serialize)?.serialize
  return {
    retryAfter: active.find((quirk) => quirk.retryAfter)?.retryAfter,
    errorTable: active.some((quirk) => quirk.otherErrors) ? other : undefined,
    rewrite: (parts) =>
      active.reduce((before, quirk) => quirk.rewrite?.(before, { operation, random }) ?? before, parts),
    serialize: (parts) =>
      write ? { status: parts.status, headers: parts.headers, text: write(parts.body) } : serialize(parts),
    spell: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [spell ? spell(name, random) : name, value]),
      ),
  }
}
