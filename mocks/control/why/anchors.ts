/** Which rules of docs/specification.md, by anchor, an answer follows. */
import { codesOf, type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { Stage } from '../../journal/stage.ts'

/** What determines the rules of an answer. */
export interface Answered {
  readonly operation: OperationId | null
  readonly status: number
  readonly error: string | null
  readonly decided_by: Stage
}

/** Rules beside that of the `error` code. */
const further: Readonly<Record<string, readonly string[]>> = {
  unauthorized: ['unauthorized-first'],
  no_credits: ['after-402'],
  busy: ['busy-answer', 'busy-starts'],
  rate_limited: ['rate-limit', 'after-429'],
  unavailable: ['after-503'],
}

const ofStatus: Readonly<Record<number, readonly string[]>> = {
  400: ['status-400'],
  409: ['run-already-active'],
  422: ['status-422'],
  500: ['status-500'],
}

const ofStage: Partial<Record<Stage, readonly string[]>> = {
  extended_set: ['core-set-required'],
  route: ['path-prefix'],
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Returns the anchors of the rules, the most particular first. */
export function anchorsOf({ operation, status, error, decided_by }: Answered): string[] {
  if (error === null) return operation ? [kebab(operation), ...costOf(operation)] : []
  const code = error === 'internal_error' ? [] : [`error-${error.replaceAll('_', '-')}`]
  const ofCode = further[error] ?? ofStatus[status] ?? []
  const ofOperation = operation && decided_by === 'state' ? refusalsOf(operation, error) : []
  return [...ofOperation, ...code, ...ofCode, ...(ofStage[decided_by] ?? [])]
}

function costOf(operation: OperationId): string[] {
  if (operation === 'runTask') return ['run-reserves']
  return routeOf(operation).cost === 1 ? ['creative-cost'] : []
}

function refusalsOf(operation: OperationId, error: string): string[] {
  if (operation === 'generateCreative') return ['creative-cost']
  return error === 'no_credits' ? ['run-without-credit'] : []
}

/** Every anchor that an answer can lead to. */
export const allAnchors: readonly string[] = [
  ...new Set([
    ...operationIds.flatMap((operation) => [
      kebab(operation),
      ...costOf(operation),
      ...codesOf(operation).map((code) => `error-${code.replaceAll('_', '-')}`),
      ...codesOf(operation).flatMap((code) => refusalsOf(operation, code)),
    ]),
    ...[further, ofStatus, ofStage].flatMap((table) => Object.values(table).flat()),
  ]),
].filter((anchor) => anchor !== 'error-internal-error')
