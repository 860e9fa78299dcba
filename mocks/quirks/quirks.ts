/** Strict-client mode as the rest of the mock sees it: the quirks of an organization, answer by answer. */
import type { z } from 'zod'
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { Failure } from '../core/failure.ts'
import type { SeededRandom } from '../core/random.ts'
import type { Call } from '../handlers/handler.ts'
import type { ResponseParts, SerializedResponse } from '../handlers/respond.ts'
import type { Variants } from './quirk.ts'

/** Quirks of one organization, or of answers to callers who are not authenticated. */
export interface Quirks {
  readonly variants: Variants
  /** Credits beside those that can be spent, less than one. */
  readonly looseCredits: number
  /** An identifier of the form that those of a kind have here. */
  newId(random: SeededRandom, kind: string): string
  /** What a body must look like. The ids of quirks that refuse one are added to `applied`. */
  bodyOf(schema: z.ZodObject, applied: Set<string>): z.ZodObject
  /** Whether a body of this `Content-Type` is read; null: it has none. The ids of quirks that refuse it are added to `applied`. */
  readsType(type: string | null, applied: Set<string>): boolean
  /** Handles a call by the usual handler, or otherwise where a quirk says so; its id is added to `applied`. */
  handle(
    operation: OperationId,
    call: Call,
    usual: (call: Call) => object,
    applied: Set<string>,
  ): object | Failure
  /** The quirks of the next answer of an operation; null: of what is no operation. */
  next(operation: OperationId | null): ResponseQuirks
  /** How often each was drawn. */
  dump(): Record<string, number>
  restore(drawn: Readonly<Record<string, number>>): void
}

/** Quirks of one answer. */
export interface ResponseQuirks {
  /** The ids of those that made the answer differ, as far as it was written. */
  readonly applied: Set<string>
  /** The form of `Retry-After`; undefined: the usual one. */
  readonly retryAfter: 'date' | undefined
  /** The table by which errors get their status; undefined: the usual one. */
  readonly errorTable: Variant | undefined
  rewrite(parts: ResponseParts): ResponseParts
  serialize(parts: ResponseParts): SerializedResponse
  /** Writes the names of headers in another case. */
  spell(headers: Readonly<Record<string, string>>): Record<string, string>
}
