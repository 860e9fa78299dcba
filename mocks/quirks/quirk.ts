/** One quirk: a behaviour that the specification allows and that a client may not expect. */
import type { z } from 'zod'
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { Failure } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { SeededRandom } from '../core/random.ts'
import type { ResponseParts } from '../handlers/respond.ts'
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
  readonly handle?: Readonly<Partial<Record<OperationId, HandleQuirk>>>
  readonly retryAfter?: 'date'
  /** Whether errors follow the table of the other variant. */
  readonly otherErrors?: boolean
  readonly rewrite?: (parts: ResponseParts, context: QuirkContext) => ResponseParts
  readonly serialize?: (body: object) => string
  /** Writes the name of a header. */
  readonly spell?: (name: string, random: SeededRandom) => string
}
