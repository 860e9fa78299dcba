/** Answers that look unusual and say what they must. */
import { combine } from '../mutations/mutation.ts'
import { type Fields, rewrite, rewriteField, rewriteSuccess } from '../mutations/reply.ts'
import type { Variation } from './variation.ts'

/** Changes every object in a JSON value, from the inside out. */
function eachObject(value: unknown, change: (fields: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((one) => eachObject(one, change))
  if (typeof value !== 'object' || value === null) return value
  return change(
    Object.fromEntries(Object.entries(value).map(([name, one]) => [name, eachObject(one, change)])),
  )
}

/** Renames statuses wherever a task or a run tells one. */
const statuses = (names: Readonly<Record<string, string>>) => () => {
  const rename = (status: unknown) => names[String(status)] ?? status
  return combine(
    rewriteField('task.status', rename, 'createTask', 'getTask'),
    rewriteField('items.*.status', rename, 'listTasks'),
    rewriteField('status', rename, 'runTask'),
  )
}

const contentType = (id: string, value: string): Variation => ({
  id: `content-type-${id}`,
  title: `Content-Type is ${value}.`,
  allowed: '#json-only: parameters of application/json are free.',
  group: 'content type',
  mutate: () => rewrite(({ headers }) => headers.set('content-type', value)),
})

export const answers: readonly Variation[] = [
  {
    id: 'created-201',
    title: 'Creations are answered 201 and runs 202.',
    allowed: '#success-status: any 2xx is a success.',
    mutate: () =>
      combine(
        rewriteSuccess(
          (reply) => {
            reply.status = 201
          },
          'createKey',
          'createTask',
          'createDocument',
          'createLandingPage',
          'generateCreative',
        ),
        rewriteSuccess((reply) => {
          reply.status = 202
        }, 'runTask'),
      ),
  },
  {
    id: 'status-names',
    title: 'Statuses have other names.',
    allowed: '#status-names: the names are unpublished.',
    group: 'status names',
    mutate: statuses({
      pending: 'OPEN',
      queued: 'WAITING',
      in_progress: 'WORKING',
      completed: 'OK',
      failed: 'ERROR',
    }),
  },
  {
    id: 'status-one-final',
    title: 'A task ends as "done", whether its run failed or not.',
    allowed: '#status-names: the names are unpublished.',
    group: 'status names',
    mutate: statuses({ completed: 'done', failed: 'done' }),
  },
  {
    id: 'status-queued-as-new',
    title: 'A task that waits has the status that it had before.',
    allowed: '#status-names: no passing status need be seen.',
    group: 'status names',
    mutate: statuses({ queued: 'pending', in_progress: 'pending' }),
  },
  {
    id: 'plan-object',
    title: 'plan is an object.',
    allowed: '#org-plan: a string or an object.',
    mutate: () => rewriteField('plan', (plan) => ({ name: plan, seats: 3 }), 'whoami', 'getBilling'),
  },
  {
    id: 'org-name-null',
    title: 'org.name is null.',
    allowed: '#org-name: null is a value.',
    mutate: () => rewriteField('org.name', () => null, 'whoami'),
  },
  {
    id: 'extra-fields',
    title: 'Every object of every answer has fields beyond those that are documented.',
    allowed: '#2-data: objects may carry further fields.',
    mutate: () =>
      rewrite((reply) => {
        reply.body = eachObject(reply.body, (fields) => ({
          _version: 3,
          ...fields,
          _links: { self: '/', more: [] },
        }))
      }),
  },
  {
    id: 'field-order',
    title: 'Fields come in another order.',
    allowed: 'RFC 8259 §4: an object is an unordered collection.',
    mutate: () =>
      rewrite((reply) => {
        reply.body = eachObject(reply.body, (fields) => Object.fromEntries(Object.entries(fields).reverse()))
      }),
  },
  contentType('charset', 'application/json; charset=utf-8'),
  contentType('tight', 'application/json;charset=UTF-8'),
  contentType('capital', 'Application/JSON'),
  {
    id: 'headers',
    title: 'Answers have headers of their own.',
    allowed: '#not-required: headers may be added (RFC 9110 §5.1).',
    mutate: () =>
      rewrite(({ headers }) => {
        headers.set('x-request-id', 'abc')
        headers.set('ratelimit-limit', '100')
        headers.append('set-cookie', 'trace=1; Path=/')
        headers.set('cache-control', 'no-store')
      }),
  },
  {
    id: 'task-described',
    title: 'A task has a description.',
    allowed: '#task-fields: a description may be present or null.',
    mutate: () =>
      combine(
        rewriteField('task.description', () => 'As asked.', 'createTask', 'getTask'),
        rewriteField('items.*.description', () => 'As asked.', 'listTasks'),
      ),
  },
]
