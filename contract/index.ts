/** Entry point of the contract: the API as data, and the types derived from it. */
export { commonFailures, type ErrorCode, errorBody, type FailureName, failures } from './errors.ts'
export type { Example, Examples } from './openapi/document.ts'
export { type OpenapiOptions, openapi } from './openapi/document.ts'
export {
  type AnswerIn,
  type AnswerOf,
  type BodyOf,
  type CodeOf,
  codesOf,
  type FailureOf,
  type Further,
  failuresOf,
  isOperationId,
  type Operation,
  type OperationId,
  operationIds,
  type ParamsOf,
  type QueryOf,
  routeOf,
} from './operation.ts'
export { type Method, type Route, type Variant, variants } from './route.ts'
export { routes } from './routes.ts'
