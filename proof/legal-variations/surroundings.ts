/** Fewer provider states, other clients in the same organization, ids of other forms, and the wire. */

import { gzipSync } from 'node:zlib'
import { Failure } from '#mocks/core/failure.ts'
import { createKey, type Organization } from '#mocks/core/organization.ts'
import { createRandom } from '#mocks/core/random.ts'
import type { Task } from '#mocks/core/resources.ts'
import { createTask, startOrQueueRun } from '#mocks/core/tasks.ts'
import type { HandlerCall } from '#mocks/handlers/views.ts'
import type { Precondition } from '#mocks/pipeline/service.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import {
  createDocumentDirectly,
  showTaskOfBusyAgent,
  withKnownOrganizations,
} from '../mutations/organizations.ts'
import { answerProviderStateRequests, changeRequests } from '../mutations/reply.ts'
import { replaceHandler } from '../mutations/rules.ts'
import { flattenVariationTables, type Variation } from './variation.ts'

/** Offers only some provider states. */
const offering =
  (...names: string[]) =>
  (): Mutation =>
    answerProviderStateRequests(({ state }) =>
      names.includes(state) ? undefined : new Response(null, { status: 404 }),
    )

/** Another client of an organization may do something before each request; `lot`: a random number from 0 to 199. */
function somebodyElse(seed: string, act: (lot: number, org: Organization, now: number) => void): Mutation {
  const random = createRandom(seed)
  const works: Precondition = ({ principal: { org }, entry }) => {
    act(random.word() % 200, org, entry.at)
    return undefined
  }
  return { rules: (rules) => ({ ...rules, preconditions: [...rules.preconditions, works] }) }
}

/** Another client of an organization does something every so many ms, before the next request. */
function everySoOften(ms: number, act: (org: Organization, now: number) => void): Mutation {
  const next = new WeakMap<Organization, number>()
  return somebodyElse('every so often', (_, org, now) => {
    if (now < (next.get(org) ?? 0)) return
    next.set(org, now + ms)
    act(org, now)
  })
}

/**
 * Creates a mutation (a change of a mock) by which another client of the organization runs each finished task again,
 * twice.
 */
export function othersRerunFinishedTasks(): Mutation {
  const times = new Map<string, number>()
  return everySoOften(500, (org, now) => {
    const isOver = ({ id, run }: Task) =>
      run?.ended && now - (run.ends_at ?? now) > 300 && (times.get(id) ?? 0) < 2
    const task = [...org.tasks.all()].find(isOver)
    if (!task || org.ledger.balance < 4) return
    times.set(task.id, (times.get(task.id) ?? 0) + 1)
    startOrQueueRun(org, task, now)
  })
}

/**
 * Legal variations of the environment of a service: which provider states it offers, and other clients of the
 * organization.
 */
export const stateAndClientVariations: readonly Variation[] = flattenVariationTables({
  '#provider-states: a service offers those that it can.': {
    'states-none (states): No provider state is offered.': offering(),
    'states-some (states): Only credits and agent_idle are offered.': offering('credits', 'agent_idle'),
    'states-without-credits (states): All states but credits and next_run_fails are offered.': offering(
      ...['agent_idle', 'agent_busy', 'unavailable', 'rate_limit', 'unread_notification'],
    ),
  },
  '#provider-states: what a state brings with it is open.': {
    'states-busy-by-a-task (busy): The agent is kept busy by a task that the list shows.':
      showTaskOfBusyAgent,
    'states-busy-by-a-paid-task (busy): The agent is kept busy by a task that the list shows, and that costs a credit.':
      () =>
        combineMutations(
          showTaskOfBusyAgent(),
          withKnownOrganizations((known) =>
            answerProviderStateRequests(({ state, action, params }) => {
              const isMeant = ({ id }: Organization) => id === params?.org_id
              if (state === 'agent_busy' && action === 'setup')
                for (const org of [...known].filter(isMeant)) org.ledger.topUp(-1, org.clock.now())
              return undefined
            }),
          ),
        ),
  },
  '#busy-answer, #real-deployments: other clients may use the organization.': {
    'not-quiet-runs (others): Another client of the organization sometimes starts a run.': () =>
      somebodyElse('somebody else runs', (lot, org, now) => {
        if (lot === 0) startOrQueueRun(org, createTask(org, 'Task of another client', now), now)
      }),
  },
  '#real-deployments: other clients may use the organization.': {
    'not-quiet (others): Another client of the organization sometimes gains or spends a credit, or creates something.':
      () =>
        somebodyElse('somebody else', (lot, org, now) => {
          if (lot < 3) org.ledger.topUp(1, now)
          else if (lot < 6) org.ledger.topUp(-1, now)
          else if (lot < 10) createTask(org, 'Task of another client', now)
          else if (lot < 14) org.notify('notice', 'Notice', 'Something else.', null, now)
        }),
    'not-quiet-reruns (others): Another client of the organization sometimes runs any of its tasks.': () =>
      somebodyElse('somebody else runs any', (lot, org, now) => {
        const tasks = [...org.tasks.all()]
        const task = tasks[(lot * 7 + now) % tasks.length]
        if (lot < 4 && task && org.ledger.canReserve) startOrQueueRun(org, task, now)
      }),
    'not-quiet-marks (others): Another client of the organization marks all notifications once a second.':
      () =>
        everySoOften(1_000, ({ notifications }) => {
          for (const one of notifications.all()) notifications.markRead(one)
        }),
    'not-quiet-notifies (others): Notifications come all the time, and the list shows the newest three alone.':
      () =>
        combineMutations(
          everySoOften(350, (org, now) => org.notify('notice', 'Notice', 'Something happened.', null, now)),
          // Before another variation gives the list another order: the newest one is to be among them.
          replaceHandler('listNotifications', (call: HandlerCall<'listNotifications'>, usual) => {
            const list = usual(call)
            return list instanceof Failure ? list : { ...list, items: list.items.slice(0, 3) }
          }),
        ),
    'not-quiet-keys (others): Another client of the organization often makes a key and deletes it soon.':
      () =>
        somebodyElse('somebody else makes keys', (lot, org, now) => {
          if (lot >= 60) return
          const keys = [...org.keys.all()].filter(({ name, deleted }) => name.startsWith('ci ') && !deleted)
          for (const key of keys.slice(0, -2)) org.changes.change('keys', key, { deleted: true })
          const name = `ci ${org.keys.size}`
          createKey(org, name, `wak_live_${name}`, now)
        }),
    'not-quiet-revokes (others): Another client of the organization deletes all keys but the first twice a second.':
      () =>
        everySoOften(500, ({ keys, changes }) => {
          for (const key of [...keys.all()].slice(1)) changes.change('keys', key, { deleted: true })
        }),
    'not-quiet-reserves (others): Another client of the organization reserves a credit for a while, again and again.':
      () => {
        let sign = 1
        return everySoOften(150, (org, now) => {
          sign = -sign
          org.ledger.topUp(sign, now)
        })
      },
  },
})

/** Sends every answer in another way; `body`: its bytes. */
const sentAs = (change: (body: Uint8Array<ArrayBuffer>, answer: Response, request: Request) => Response) => ({
  wire: { path: '' },
  mutate: (): Mutation => ({
    async middleware({ request }, next) {
      const answer = await next(request)
      return change(new Uint8Array(await answer.arrayBuffer()), answer, request)
    },
  }),
})

/** Legal variations of what is sent over the network: encodings, methods and paths. */
export const wireVariations: readonly Variation[] = flattenVariationTables({
  'RFC 9110 §8.4: Content-Encoding, as the client accepts it.': {
    'wire-gzip: Answers are compressed.': sentAs((body, answer, request) => {
      if (!request.headers.get('accept-encoding')?.includes('gzip')) return new Response(body, answer)
      const headers = new Headers(answer.headers)
      headers.set('content-encoding', 'gzip')
      headers.set('vary', 'accept-encoding')
      return new Response(gzipSync(body), { status: answer.status, headers })
    }),
  },
  '#base-url: a path in front is open.': {
    'wire-prefix: The base URL has a path and ends in a slash.': {
      wire: { path: '/v7/work/' },
      mutate: () =>
        changeRequests((request) => {
          const url = new URL(request.url)
          const [, path] = /^\/v7\/work(\/.*)$/.exec(url.pathname) ?? []
          if (path) url.pathname = path
          else if (url.pathname.includes('/api/')) return new Response('Not here.', { status: 404 })
          return new Request(url, request)
        }),
    },
  },
  'RFC 9112 §7.1: chunked transfer coding.': {
    'wire-chunked: Answers arrive in small chunks.': sentAs((body, answer) => {
      const pieces = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let i = 0; i < body.length; i += 200) controller.enqueue(body.slice(i, i + 200))
          controller.close()
        },
      })
      return new Response(pieces, answer)
    }),
  },
})

/**
 * Makes the new ids of an organization numbers, counted by kind, of at least so many digits; organizations may share
 * the counts.
 */
function countIds(org: Organization, digits = 1, counts = new Map<string, number>()): void {
  org.newId = (kind) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return String(count).padStart(digits, '0')
  }
}

/** Legal variations (behaviour that the specification allows) of the form of ids. */
export const idVariations: readonly Variation[] = flattenVariationTables({
  '#ids: the form is open.': {
    'ids-huge-numbers (ids): Ids are numbers that no double can hold.': () => ({
      // Ids of 15 digits get three more on the way out, and lose them on the way in.
      quirks: ['ids-numbers'],
      async middleware({ request }, next) {
        const shorten = (text: string) => text.replace(/922(\d{15})/g, '$1')
        const { method, headers } = request
        const body = Buffer.from(
          shorten(Buffer.from(await request.arrayBuffer()).toString('latin1')),
          'latin1',
        )
        const response = await next(
          new Request(shorten(request.url), { method, headers, body: body.length > 0 ? body : null }),
        )
        const text = await response.text()
        return new Response(text.replace(/(:\s*)(\d{15})(?!\d)/g, '$1922$2') || null, response)
      },
    }),
  },
  '#ids: a task and a document may have the same.': {
    'ids-long-counted (ids): Ids are long numbers that are counted for each kind of thing.': () => {
      const counts = new Map<string, number>()
      return { onOrganization: (org) => countIds(org, 16, counts) }
    },
  },
  '#organization-by-credential: two organizations may use one id for different things.': {
    'ids-counted-for-each-organization (ids): Ids are counted for each organization: two organizations use the same id for different things.':
      () => {
        let count = 0
        return {
          onOrganization(org) {
            countIds(org)
            if (count++ === 0) return
            for (let i = 0; i < 150; i++) {
              createTask(org, `Task ${i} of ${org.name}`, 0)
              org.notify('notice', 'Notice', 'Something happened.', null, 0)
              createDocumentDirectly(org, `Document ${i}`, 0)
            }
          },
        }
      },
    'ids-counted-alike (ids): Ids are counted for each organization, so that what the suite creates in two of them has the same ids.':
      () => ({ onOrganization: (org) => countIds(org) }),
  },
})
