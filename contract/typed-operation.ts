/** Request and response types for client authors: the named fields alone, and further fields that any answer may have. */
import type { AnswerIn, BodyOf, CodeOf, FailureOf, OperationId, ParamsOf, QueryOf } from './operation.ts'
import type { Variant } from './route.ts'
import type { routes } from './routes/index.ts'

/**
 * The request and response types of an operation, such as `Operation<'createTask'>['body']`. Without a variant,
 * the response is a union of both variants, so fields of only one variant need a check such as `'credits' in answer`.
 */
export interface Operation<O extends OperationId, V extends Variant = Variant> {
  /** The HTTP method. */
  readonly method: (typeof routes)[O]['method']
  /** The path with `:name` placeholders: `/api/cli/tasks/:id`. */
  readonly path: (typeof routes)[O]['path']
  /** Path parameters by name, before percent-encoding; undefined if there are none. */
  readonly params: ParamsOf<O>
  /** The query; undefined if there is none. */
  readonly query: QueryOf<O>
  /** The JSON body of the request; undefined if there is none. */
  readonly body: BodyOf<O>
  /** The JSON body of a success, with the fields that the contract names; `Further` gives access to others. */
  readonly answer: V extends Variant ? Closed<AnswerIn<O, V>> : never
  /** The JSON body of an error: branch on `error`. Codes other than these are possible with 422 and 500 (§7.4). */
  readonly error: { readonly error: CodeOf<O> | (string & {}); readonly message: string }
  /** The failures it can return: rows of the error table; several rows may share a code. */
  readonly failure: FailureOf<O>
}

type NamedKeys<T> = keyof { [K in keyof T as string extends K ? never : K]: 1 }

/** `T` without index signatures at any depth, so that a misspelt field is a type error. */
export type Closed<T> = unknown extends T
  ? T
  : T extends readonly (infer E)[]
    ? Closed<E>[]
    : T extends object
      ? [NamedKeys<T>] extends [never]
        ? T
        : { [K in keyof T as string extends K ? never : K]: Closed<T[K]> }
      : T

/**
 * An answer, or a part of one, with further fields, which a service may add: `(task as Further<Task>).priority` is
 * `unknown`, as are the fields of only one variant.
 */
export type Further<T> = T & { readonly [field: string]: unknown }
