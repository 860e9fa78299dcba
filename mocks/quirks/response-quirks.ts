/** The quirks of one answer: what several of them make of it together. */
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { SeededRandom } from '../core/random.ts'
import { otherThan, type ResponseParts, serialize } from '../handlers/respond.ts'
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
  const applied = new Set<string>()
  const having = (part: keyof Quirk) => active.find((quirk) => quirk[part])
  const [speller, writer] = [having('spell'), having('serialize')]
  const [dates, errors] = [having('retryAfter'), having('otherErrors')]
  return {
    applied,
    retryAfter: dates?.retryAfter,
    errorTable: errors && other,
    rewrite(parts) {
      if (errors && parts.status >= 400) applied.add(errors.id)
      if (dates && parts.status === 429) applied.add(dates.id)
      return active.reduce((before, quirk) => {
        const after = quirk.rewrite?.(before, { operation, random }) ?? before
        if (differs(before, after)) applied.add(quirk.id)
        return after
      }, parts)
    },
    serialize({ status, headers, body }) {
      const usual = serialize({ status, headers, body })
      if (!writer?.serialize) return usual
      const text = writer.serialize(body)
      if (text !== usual.text) applied.add(writer.id)
      return { status, headers, text }
    },
    spell(headers) {
      if (speller) applied.add(speller.id)
      const spelled = (name: string) => speller?.spell?.(name, random) ?? name
      return Object.fromEntries(Object.entries(headers).map(([name, value]) => [spelled(name), value]))
    },
  }
}

const differs = (before: ResponseParts, after: ResponseParts) =>
  before !== after && JSON.stringify(before) !== JSON.stringify(after)
