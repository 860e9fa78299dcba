/** What strict-client mode is to the rest of the mock: how an organization quirks, answer by answer. */
import type { z } from 'zod'
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { Failure } from '../core/failure.ts'
import type { SeededRandom } from '../core/random.ts'
import type { Call } from '../handlers/handler.ts'
import type { ResponseParts, SerializedResponse } from '../handlers/respond.ts'

/** Quirks of one organization, or of those who are nobody known. */
export interface Quirks {
  /** Operations that have two shapes, each with the one that it gets. */
  readonly variants: Partial<Record<OperationId, Variant | 'both'>>
  /** Fractions of a credit beside those that can be spent. */
  readonly looseCredits: number
  /** An identifier of the form that those of a kind have here. */
  newId(random: SeededRandom, kind: string): string
  /** What a body must look like. */
  bodyOf(schema: z.ZodObject): z.ZodObject
  /** Does what the usual handler does, in a surprising way where there is one. */
  handle(operation: OperationId, call: Call, usual: (call: Call) => object): object | Failure
  /** The next answer of an operation; null: of what is no operation. */
  next(operation: OperationId | null): Quirk
  /** How often each was drawn. */
  dump(): Record<string, number>
  restore(drawn: Readonly<Record<string, number>>): void
}

/** How one answer quirks. */
export interface Quirk {
  readonly retryAfter: 'seconds' | 'date'
  /** The table by which errors get their status. */
  readonly errorTable: Variant
  /** Tells an answer in another way. */
  rewrite(parts: ResponseParts): ResponseParts
  serialize(parts: ResponseParts): SerializedResponse
  /** Spells the names of headers in another way. */
  spell(headers: Readonly<Record<string, string>>): Record<string, string>
}
