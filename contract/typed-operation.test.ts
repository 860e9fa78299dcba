/** The types of an operation say what the specification does; `tsc` is what checks these. */
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

test('an answer of one variant has its fields', () => {
  expectTypeOf<Operation<'createTask', 'first'>['answer']['credits']>().toEqualTypeOf<number>()
  expectTypeOf<Operation<'runTask', 'second'>['answer']['runId']>().toEqualTypeOf<string | number>()
  expectTypeOf<Operation<'listTasks', 'second'>['answer']['remaining']>().toEqualTypeOf<number>()
})

test('of an answer of either variant, what both have is known, and the rest has to be looked at', () => {
  type Run = Operation<'runTask'>['answer']
  expectTypeOf<Run['status']>().toEqualTypeOf<string>()
  expectTypeOf<Run['runId']>().toEqualTypeOf<unknown>()
  expectTypeOf<Operation<'createTask'>['answer']['task']['id']>().toEqualTypeOf<string | number>()
  expectTypeOf<Operation<'createTask'>['answer']['credits']>().toEqualTypeOf<unknown>()
  expectTypeOf<Operation<'getTask'>['answer']['finished']>().toEqualTypeOf<boolean>()
})

test('an error has the codes of its operation, and leaves room for others', () => {
  type Own = 'not_found' | 'invalid_request' | 'no_credits' | 'busy'
  type Common = 'unauthorized' | 'rate_limited' | 'unavailable' | 'internal_error'
  expectTypeOf<CodeOf<'runTask'>>().toEqualTypeOf<Own | Common>()
  expectTypeOf<CodeOf<'whoami'>>().toEqualTypeOf<Common>()
  expectTypeOf<string>().toExtend<Operation<'runTask'>['error']['error']>()
  expectTypeOf<'busy' | 'no_credits'>().toExtend<Operation<'runTask'>['failure']>()
  expectTypeOf<'no_credits'>().not.toExtend<Operation<'whoami'>['failure']>()
})
