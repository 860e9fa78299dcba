/** The types of an operation match the specification; `tsc` checks these assertions. */
import { expectTypeOf, test } from 'vitest'
import type { CodeOf, Further, Operation } from './index.ts'

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

test('a response without a variant has the common fields; a check gives access to those of one variant', () => {
  type Run = Operation<'runTask'>['answer']
  expectTypeOf<Run['status']>().toEqualTypeOf<string>()
  expectTypeOf<keyof Run>().toEqualTypeOf<'status'>()
  const runOf = (run: Run) => ('runId' in run ? run.runId : run.taskId)
  expectTypeOf(runOf).returns.toEqualTypeOf<string | number>()
  expectTypeOf<Operation<'createTask'>['answer']['task']['id']>().toEqualTypeOf<string | number>()
  expectTypeOf<keyof Operation<'createTask'>['answer']>().toEqualTypeOf<'task'>()
  expectTypeOf<Operation<'getTask'>['answer']['finished']>().toEqualTypeOf<boolean>()
})

test('a field that the contract does not name is a type error, at any depth, unless further fields are asked for', () => {
  type Detail = Operation<'getTask'>['answer']
  expectTypeOf<keyof Detail>().toEqualTypeOf<'task' | 'finished'>()
  expectTypeOf<keyof Operation<'listTasks', 'second'>['answer']['items'][number]>().toEqualTypeOf<
    'id' | 'text' | 'description' | 'status'
  >()
  expectTypeOf<Further<Detail>['finished']>().toEqualTypeOf<boolean>()
  expectTypeOf<Further<Detail['task']>['priority']>().toEqualTypeOf<unknown>()
  expectTypeOf<Detail>().toExtend<Further<Detail>>()
  expectTypeOf<Operation<'getInsights'>['answer']['clicks']>().toEqualTypeOf<unknown>()
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
