/** The types of an operation match the specification; `tsc` checks these assertions. */
import { expectTypeOf, test } from 'vitest'
import type { CodeOf, Operation } from './index.ts'

test('a request has the method, path, params, query and body of its operation', () => {
  type Create = Operation<'createTask'>
  expectTypeOf<Create['method']>().toEqualTypeOf<'POST'>()
  expectTypeOf<Create['path']>().toEqualTypeOf<'/api/cli/tasks'>()
  expectTypeOf<Create['body']>().toEqualTypeOf<{ text: string }>()
  expectTypeOf<Create['params' | 'query']>().toEqualTypeOf<undefined>()
  expectTypeOf<Operation<'runTask'>['params']>().toEqualTypeOf<Readonly<Record<'id', string | number>>>()
  expectTypeOf<Operation<'runTask'>['body']>().toEqualTypeOf<undefined>()
  expectTypeOf<{ all: '1' }>().toExtend<Operation<'listDocuments'>['query']>()
  expectTypeOf<{ all: 'yes' }>().not.toExtend<Operation<'listDocuments'>['query']>()
})

test('a response of one variant has the fields of that variant', () => {
  expectTypeOf<Operation<'createTask', 'first'>['answer']['credits']>().toEqualTypeOf<number>()
  expectTypeOf<Operation<'runTask', 'second'>['answer']['runId']>().toEqualTypeOf<string | number>()
  expectTypeOf<Operation<'listTasks', 'second'>['answer']['remaining']>().toEqualTypeOf<number>()
})

test('a response without a variant types the common fields and leaves the others unknown', () => {
  type Run = Operation<'runTask'>['answer']
  expectTypeOf<Run['status']>().toEqualTypeOf<string>()
  expectTypeOf<Run['runId']>().toEqualTypeOf<unknown>()
  expectTypeOf<Operation<'createTask'>['answer']['task']['id']>().toEqualTypeOf<string | number>()
  expectTypeOf<Operation<'createTask'>['answer']['credits']>().toEqualTypeOf<unknown>()
  expectTypeOf<Operation<'getTask'>['answer']['finished']>().toEqualTypeOf<boolean>()
})

test('an error has the codes of its operation and allows others', () => {
  type Own = 'not_found' | 'invalid_request' | 'no_credits' | 'busy'
  type Common = 'unauthorized' | 'rate_limited' | 'unavailable' | 'internal_error'
  expectTypeOf<CodeOf<'runTask'>>().toEqualTypeOf<Own | Common>()
  expectTypeOf<CodeOf<'whoami'>>().toEqualTypeOf<Common>()
  expectTypeOf<string>().toExtend<Operation<'runTask'>['error']['error']>()
  expectTypeOf<'busy' | 'no_credits'>().toExtend<Operation<'runTask'>['failure']>()
  expectTypeOf<'no_credits'>().not.toExtend<Operation<'whoami'>['failure']>()
})
