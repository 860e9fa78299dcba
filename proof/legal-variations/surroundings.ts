/** Fewer provider states, and other clients in the same organization. */

import { createRandom } from '#mocks/core/random.ts'
import { createTask, requestRun } from '#mocks/core/tasks.ts'
import type { Precondition } from '#mocks/pipeline/service.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { type Variation, variationsOf } from './variation.ts'

const protocol = '#provider-states: a service offers those that it can.'

/** Offers only some provider states. */
const offering =
  (...names: string[]) =>
  (): Mutation => ({
    async middleware({ request }, next) {
      if (!request.url.endsWith('/states')) return next(request)
      const text = await request.text()
      const { state } = JSON.parse(text)
      if (!names.includes(state)) return new Response(null, { status: 404 })
      const { url, method, headers } = request
      return next(new Request(url, { method, headers, body: text }))
    },
  })

export const surroundings: readonly Variation[] = variationsOf({
  'states-none: No provider state is offered.': { allowed: protocol, group: 'states', mutate: offering() },
  'states-some: Only credits and agent_idle are offered.': {
    allowed: protocol,
    group: 'states',
    mutate: offering('credits', 'agent_idle'),
  },
  'states-without-credits: All states but credits and next_run_fails are offered.': {
    allowed: protocol,
    group: 'states',
    mutate: offering('agent_idle', 'agent_busy', 'unavailable', 'rate_limit', 'unread_notification'),
  },
  'not-quiet-runs: Another client of the organization sometimes starts a run.': {
    allowed: '#busy-answer, #real-deployments: other clients may use the organization.',
    group: 'others',
    mutate() {
      const random = createRandom('somebody else runs')
      const works: Precondition = ({ principal: { org }, now }) => {
        if (random.word() % 200 === 0) requestRun(org, createTask(org, 'Task of another client', now), now)
        return undefined
      }
      return { rules: (rules) => ({ ...rules, preconditions: [...rules.preconditions, works] }) }
    },
  },
  'not-quiet: Another client of the organization sometimes gains or spends a credit, or creates something.': {
    group: 'others',
    allowed: '#real-deployments: other clients may use the organization.',
    mutate() {
      const random = createRandom('somebody else')
      const works: Precondition = ({ principal: { org }, now }) => {
        const lot = random.word() % 200
        if (lot < 3) org.ledger.topUp(1, now)
        else if (lot < 6) org.ledger.topUp(-1, now)
        else if (lot < 10) createTask(org, 'Task of another client', now)
        else if (lot < 14) org.notify('notice', 'Notice', 'Something else.', null, now)
        return undefined
      }
      return { rules: (rules) => ({ ...rules, preconditions: [...rules.preconditions, works] }) }
    },
  },
})
