/** Types for readers of answers: the named fields alone, and the further fields that any answer may have. */

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
