/** Entry of the contract: the API as data, and the types that follow from it. */
import type { ErrorCode } from './errors.ts'
import type { AnswerIn, BodyOf, FailureOf, OperationId, QueryOf } from './operation.ts'
import type { Variant } from './route.ts'

export { commonFailures, type ErrorCode, errorBody, type FailureName, failures } from './errors.ts'
export { type Example, type Examples, type OpenapiOptions, openapi } from './openapi.ts'
export {
  type AnswerIn,
  type AnswerOf,
  type BodyOf,
  codesOf,
  type FailureOf,
  failuresOf,
  isOperationId,
  type OperationId,
  operationIds,
  type QueryOf,
  routeOf,
} from './operation.ts'
export { type Method, type Route, type Variant, variants } from './route.ts'
export { routes } from './routes/index.ts'

/** What a client sends and is told in one operation: `Operation<'createTask'>['body']`. */
export interface Operation<O extends OperationId, V extends Variant = Variant> {
  /** The JSON body of the request; undefined where there is none. */
  readonly body: BodyOf<O>
  readonly query: QueryOf<O>
  /** The body of a success; of either variant where none is named. */
  readonly answer: V extends Variant ? AnswerIn<O, V> : never
  /** The body of an error. */
  readonly error: { readonly error: ErrorCode | (string & {}); readonly message: string }
  /** The failures that it can meet. */
  readonly failure: FailureOf<O>
}
