/** Answers that look unusual and say what they must. */
import { combine } from '../mutations/mutation.ts'
import { type Fields, rewrite, rewriteField, rewriteSuccess } from '../mutations/reply.ts'
import type { Variation } from './variation.ts'

const shapes = 'decisions.md, Success and shapes: '

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
  allowed: `${shapes}any application/json content type with or without parameters.`,
  group: 'content type',
  mutate: () => rewrite(({ headers }) => headers.set('content-type', value)),
})

export const answers: readonly Variation[] = [
  {
    id: 'created-201',
    title: 'Creations are answered 201 and runs 202.',
    allowed: `${shapes}the suite accepts any 2xx with a JSON body.`,
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
    allowed: 'api.md §3: full list of status values: not shown.',
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
    allowed: 'api.md §3: full list of status values: not shown.',
    group: 'status names',
    mutate: statuses({ completed: 'done', failed: 'done' }),
  },
  {
    id: 'status-queued-as-new',
    title: 'A task that waits has the status that it had before.',
    allowed: 'decisions.md, Statuses: the suite never demands to see any transient state.',
    group: 'status names',
    mutate: statuses({ queued: 'pending', in_progress: 'pending' }),
  },
  {
    id: 'plan-object',
    title: 'plan is an object.',
    allowed: `${shapes}plan: string or object.`,
    mutate: () => rewriteField('plan', (plan) => ({ name: plan, seats: 3 }), 'whoami', 'getBilling'),
  },
  {
    id: 'org-name-null',
    title: 'org.name is null.',
    allowed: 'api.md §2 Organization: org.name may be null.',
    mutate: () => rewriteField('org.name', () => null, 'whoami'),
  },
  {
    id: 'extra-fields',
    title: 'Every object of every answer has fields beyond those that are documented.',
    allowed: `${shapes}unknown extra fields.`,
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
    allowed: 'api.md names no headers but Retry-After; RFC 9110 §5.1 allows any.',
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
    allowed: `${shapes}description (nullable).`,
    mutate: () =>
      combine(
        rewriteField('task.description', () => 'As asked.', 'createTask', 'getTask'),
        rewriteField('items.*.description', () => 'As asked.', 'listTasks'),
      ),
  },
]
