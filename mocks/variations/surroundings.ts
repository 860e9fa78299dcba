/** What surrounds the suite: fewer states, and others who work in the same organization. */
import type { Alteration } from '../alterations/alteration.ts'
import { createTask } from '../core/tasks.ts'
import type { Variation } from './variation.ts'

const protocol = 'decisions.md, Provider states: 404 where that state is not offered.'

/** Offers only some provider states. */
const offering =
  (...names: string[]) =>
  (): Alteration => ({
    async around({ request }, next) {
      if (!request.url.endsWith('/states')) return next(request)
      const text = await request.text()
      const { state } = JSON.parse(text)
      if (!names.includes(state)) return new Response(null, { status: 404 })
      const { url, method, headers } = request
      return next(new Request(url, { method, headers, body: text }))
    },
  })

export const surroundings: readonly Variation[] = [
  {
    id: 'states-none',
    title: 'No provider state is offered.',
    allowed: protocol,
    group: 'states',
    alter: offering(),
  },
  {
    id: 'states-some',
    title: 'Only credits and agent_idle are offered.',
    allowed: protocol,
    group: 'states',
    alter: offering('credits', 'agent_idle'),
  },
  {
    id: 'states-without-credits',
    title: 'All states but credits and next_run_fails are offered.',
    allowed: protocol,
    group: 'states',
    alter: offering('agent_idle', 'agent_busy', 'unavailable', 'rate_limit', 'unread_notification'),
  },
  {
    id: 'not-quiet',
    title:
      'Somebody else works in the organization: now and then a credit comes or goes, or something is made.',
    allowed:
      "Nothing says that the organization is the suite's alone: it compares, retries once, and says so.",
    alter() {
      let asked = 0
      return {
        rules: (rules) => ({
          ...rules,
          gates: [
            ...rules.gates,
            ({ principal: { org }, answering: { now } }) => {
              asked++
              if (asked % 61 === 0) org.ledger.topUp(1, now)
              if (asked % 73 === 0) org.ledger.topUp(-1, now)
              if (asked % 47 === 0) createTask(org, `Task of somebody else, ${asked}`, now)
              if (asked % 53 === 0) org.notify('notice', 'Notice', 'Something else.', null, now)
              return undefined
            },
          ],
        }),
      }
    },
  },
]
