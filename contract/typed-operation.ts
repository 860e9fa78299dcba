/** What a client author types a client with. */
import type { AnswerIn, BodyOf, CodeOf, FailureOf, OperationId, ParamsOf, QueryOf } from './operation.ts'
import type { Variant } from './route.ts'
import type { routes } from './routes/index.ts'

/**
 * What a client sends and is told in one operation: `Operation<'createTask'>['body']`. Without a variant it is
 * what either description tells, so that what only one has is checked before it is used.
 */
export interface Operation<O extends OperationId, V extends Variant = Variant> {
  /** `POST`, … */
  readonly method: (typeof routes)[O]['method']
  /** With `:name` where a param goes: `/api/cli/tasks/:id`. */
  readonly path: (typeof routes)[O]['path']
  /** By name, before they are percent-encoded; undefined where there are none. */
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  /** The JSON body of the request; undefined where there is none. */
  readonly body: BodyOf<O>
  /** The JSON body of a success; it may always have more than this. */
  readonly answer: V extends Variant ? AnswerIn<O, V> : never
  /** The JSON body of an error: branch on `error`. Codes other than these are possible with 422 and 500 (§7.4). */
  readonly error: { readonly error: CodeOf<O> | (string & {}); readonly message: string }
  /** The failures that it can meet: rows of the error table, of which several may share a code. */
  readonly failure: FailureOf<O>
}
