/** One quirk: a behaviour that the specification allows and that a client may not expect. */
import type { z } from 'zod'
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { Failure } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { SeededRandom } from '../core/random.ts'
import type { ResponseParts, SerializedResponse } from '../handlers/respond.ts'
import type { Call } from '../handlers/views.ts'

/** The variant of operations that have two; `both`: with the fields of both. */
export type Variants = Readonly<Organization['variants']>

/** The answer that a quirk rewrites. */
interface QuirkContext {
  /** Null: of a path or method that is no operation. */
  readonly operation: OperationId | null
  readonly random: SeededRandom
}

/** Does what `usual` does with the same call; another call or answer tells that the quirk applied. */
export type HandleQuirk = (
  call: Call,
  usual: (call: Call) => object | Failure,
  random: SeededRandom,
) => object | Failure

/** A row of the table of quirks. All parts after `share` say how behaviour changes; each may be left out. */
export interface Quirk {
  /** Stable, unique, kebab-case. */
  readonly id: string
  /** What the service does, in the present tense. */
  readonly title: string
  /** What allows it: an anchor of docs/specification.md, such as `#run-refund`, or an RFC, and what is open there. */
  readonly allowed: string
  /** Quirks of the same group exclude each other. */
  readonly group?: string
  /** What has the quirk: an organization for ever (the default), one answer, one run, or the ids of one kind. */
  readonly scope?: 'answer' | 'run' | 'ids'
  /** How often strict-client mode draws it, 0 to 1; undefined: only where it is named. */
  readonly share?: number

  readonly variants?: (usual: Variant) => Variants
  /** Credits beside those that can be spent, less than one. */
  readonly looseCredits?: number
  readonly newId?: (random: SeededRandom, kind: string) => string
  /** Ids of this form are for organizations too: they can stand in a URL as they are. */
  readonly plain?: boolean
  /** What a body must look like; calls `refused` if one that is otherwise valid does not. */
  readonly bodyOf?: (schema: z.ZodObject, refused: () => void) => z.ZodObject
  /** Whether a body of this `Content-Type` is read; null: it has none. */
  readonly readsType?: (type: string | null) => boolean
  /** How operations are handled. */
  readonly handle?: Readonly<Partial<Record<OperationId, HandleQuirk>>>
  readonly retryAfter?: 'date'
  /** Whether errors follow the table of the other variant. */
  readonly otherErrors?: boolean
  readonly rewrite?: (parts: ResponseParts, context: QuirkContext) => ResponseParts
  readonly serialize?: (body: object) => string
  /** Writes the name of a header. */
  readonly spell?: (name: string, random: SeededRandom) => string
}

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
