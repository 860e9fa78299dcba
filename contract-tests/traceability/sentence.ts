/** One sentence, bullet or table row of the specification, and what the suite makes of it. */
import { type OperationId, routeOf } from '#contract/operation.ts'

interface Quoted {
  /** Where it stands, such as `§3.2` or `§4 Tasks`. */
  readonly section: string
  /** The words of the specification; cells of a table row are divided by ` | `. */
  readonly text: string
}

/** A sentence that requirements hold a service to. */
export interface Demand extends Quoted {
  /** Ids of the catalogue; `*` stands for any letters. */
  readonly requirements: readonly string[]
  /** What of it is not demanded, and why. */
  readonly note?: string
}

/** A sentence that nothing is held to. */
export interface Aside extends Quoted {
  /** Why no requirement follows from it. */
  readonly reason: string
}

export type Sentence = Demand | Aside

/** A numbered part of the specification, in its order. */
export interface Part {
  readonly title: string
  readonly sentences: readonly Sentence[]
}

export function isDemand(sentence: Sentence): sentence is Demand {
  return 'requirements' in sentence
}

/** Ids that follow from a row of the route tables: the route is there, is opened as told, and has its shape. */
export function ofRoute(operation: OperationId): string[] {
  const { auth, cost, body } = routeOf(operation)
  const ids = [`SHAPE-${operation}`, `AUTH-MISSING-${operation}`, `AUTH-INVALID-${operation}`]
  ids.push(auth === 'key' ? `AUTH-SESSION-${operation}` : `AUTH-KEY-${operation}`)
  if (cost === 0) ids.push(`ACCEPTS-${operation}`, `FREE-${operation}`)
  if (body) ids.push(`INPUT-*-${operation}`)
  return ids
}
