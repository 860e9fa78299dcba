/** Types of one operation, derived from the route table, also for client authors; and what is looked up in it. */
import type { z } from 'zod'
import type { CommonFailure, FailureName } from './errors.ts'
import { commonFailures, failures } from './errors.ts'
import { createOneOfSchema, parseOrThrow } from './input/checked.ts'
import type { Route, Variant } from './route.ts'
import { routes } from './routes.ts'

type Routes = typeof routes

/** The id of an operation, such as `runTask`, used in code, flags, logs, OpenAPI and reports alike. */
export type OperationId = keyof Routes

/** All operation ids, in the order of §4. */
export const operationIds = Object.keys(routes) as OperationId[]

const operationId = createOneOfSchema(operationIds)

type Output<S> = S extends z.ZodType ? z.output<S> : undefined

/** The validated JSON body of an operation; `undefined` if it takes none. */
export type BodyOf<O extends OperationId> = Routes[O] extends { body: infer S } ? Output<S> : undefined
/** The validated query of an operation; `undefined` if it takes none. */
export type QueryOf<O extends OperationId> = Routes[O] extends { query: infer S } ? Output<S> : undefined
type ParamIn<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamIn<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never
/** The path parameters of an operation, before percent-encoding; `undefined` if it takes none. */
export type ParamsOf<O extends OperationId> = [ParamIn<Routes[O]['path']>] extends [never]
  ? undefined
  : Readonly<Record<ParamIn<Routes[O]['path']>, string | number>>

/** The success body of an operation by one of the two descriptions of the API (`first`, `second`). */
export type AnswerIn<O extends OperationId, V extends Variant> = Output<Routes[O]['answer'][V]>
/** The success body with the fields of both variants, which a handler returns before one variant is selected. */
export type AnswerOf<O extends OperationId> = AnswerIn<O, 'first'> & AnswerIn<O, 'second'>
/** The failures that an operation can return. */
export type FailureOf<O extends OperationId> = Routes[O]['failures'][number] | CommonFailure
/** The `error` codes that an operation can return. */
export type CodeOf<O extends OperationId> = (typeof failures)[FailureOf<O>]['code']

/**
 * The request and response types of an operation, such as `Operation<'createTask'>['body']`. Without a variant,
 * the response is a union of both variants, so fields of only one variant need a check such as `'credits' in answer`.
 */
export interface Operation<O extends OperationId, V extends Variant = Variant> {
  /** The HTTP method. */
  readonly method: Routes[O]['method']
  /** The path with `:name` placeholders: `/api/cli/tasks/:id`. */
  readonly path: Routes[O]['path']
  /** Path parameters by name, before percent-encoding; undefined if there are none. */
  readonly params: ParamsOf<O>
  /** The query; undefined if there is none. */
  readonly query: QueryOf<O>
  /** The JSON body of the request; undefined if there is none. */
  readonly body: BodyOf<O>
  /** The JSON body of a success, with the fields that the contract names; `Further` gives access to others. */
  readonly answer: V extends Variant ? WithoutIndexSignatures<AnswerIn<O, V>> : never
  /** The JSON body of an error: branch on `error`. Codes other than these are possible with 422 and 500 (§7.4). */
  readonly error: { readonly error: CodeOf<O> | (string & {}); readonly message: string }
  /** The failures it can return: rows of the error table; several rows may share a code. */
  readonly failure: FailureOf<O>
}

type NamedKeys<T> = keyof { [K in keyof T as string extends K ? never : K]: 1 }

/** `T` without index signatures at any depth, so that a misspelt field is a type error. */
export type WithoutIndexSignatures<T> = unknown extends T
  ? T
  : T extends readonly (infer E)[]
    ? WithoutIndexSignatures<E>[]
    : T extends object
      ? [NamedKeys<T>] extends [never]
        ? T
        : { [K in keyof T as string extends K ? never : K]: WithoutIndexSignatures<T[K]> }
      : T

/**
 * An answer, or a part of one, with further fields, which a service may add: `(task as Further<Task>).priority` is
 * `unknown`, as are the fields of only one variant.
 */
export type Further<T> = T & { readonly [field: string]: unknown }

/** Returns the declaration of an operation, with its literal types widened to `Route`. @throws TypeError for another word. */
export function routeOf(operation: OperationId): Route {
  if (!isOperationId(operation)) parseOrThrow('operation', operationId, operation)
  return routes[operation]
}

/** True if the answers of an operation have different fields in each variant. */
export function hasVariantSpecificFields(operation: OperationId): boolean {
  const { first, second } = routeOf(operation).answer
  return Object.keys(first.shape).join() !== Object.keys(second.shape).join()
}

/** Returns whether a string is an operation id. */
export function isOperationId(word: string): word is OperationId {
  return Object.hasOwn(routes, word)
}

/** Returns every failure that an operation can return, those specific to it first. */
export function failuresOf(operation: OperationId): FailureName[] {
  return [...routeOf(operation).failures, ...commonFailures]
}

/** Returns every `error` code that an operation can return, without duplicates. */
export function codesOf(operation: OperationId): string[] {
  return [...new Set(failuresOf(operation).map((name) => failures[name].code))]
}

const patterns = operationIds.map((operation) => {
  const { method, path } = routeOf(operation)
  return { operation, method, pattern: new RegExp(`^${path.replace(':id', '[^/]+')}$`) }
})

/** Returns the operation of a method and a path; undefined if there is none. */
export function operationAt(method: string, path: string): OperationId | undefined {
  return patterns.find((one) => one.method === method && one.pattern.test(path))?.operation
}
