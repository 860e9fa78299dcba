/** What a run of the suite has created, according to its exchanges. */
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'

interface CreatedResource {
  readonly operation: OperationId
  readonly id: string
}

/** Where the response of each creating operation holds the id. */
export const idPlaces: Partial<Record<OperationId, readonly string[][]>> = {
  createKey: [['key', 'id'], ['id']],
  createTask: [['task', 'id']],
  createDocument: [['item', 'id']],
  createLandingPage: [['id'], ['site', 'id']],
  generateCreative: [['artifactId']],
}

/** The id of what was created; undefined if the response holds none. */
export function createdId({ operation, json }: Exchange): string | undefined {
  for (const path of idPlaces[operation] ?? []) {
    const id = idOf(field(json, ...path))
    if (id !== undefined) return id
  }
  return undefined
}

/** Everything that was created, in order. */
export function createdIn(exchanges: readonly Exchange[]): CreatedResource[] {
  return exchanges.filter(isAccepted).flatMap((exchange) => {
    const id = createdId(exchange)
    return id === undefined ? [] : [{ operation: exchange.operation, id }]
  })
}
