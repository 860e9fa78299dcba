/** §3.3: a busy agent that refuses, forgets or overcharges the runs that wait for it. */

import { fail } from '#mocks/core/failure.ts'
import { rewrite } from '../mutations/reply.ts'
import { handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

export const busy: readonly Defect[] = [
  {
    id: 'busy-not-found',
    title: 'A run that meets a busy agent is answered 404.',
    breaks: ['BUSY-ANSWER'],
    mutate: () =>
      rewrite((reply) => {
        if (reply.status !== 409) return
        reply.status = 404
        reply.body = { error: 'not_found', message: 'No agent is free.' }
      }, 'runTask'),
  },
  {
    id: 'busy-bad-request',
    title: 'A run that meets a busy agent is answered 400 with the error invalid_request.',
    breaks: ['BUSY-ANSWER'],
    mutate: () =>
      rewrite((reply) => {
        if (reply.status !== 409) return
        reply.status = 400
        reply.body = { error: 'invalid_request', message: 'The agent is busy.' }
      }, 'runTask'),
  },
  {
    id: 'busy-dropped',
    title: 'A run that is answered busy is never started.',
    breaks: ['BUSY-STARTS'],
    mutate: () =>
      handle('runTask', (call, usual) =>
        call.org.tasks.get(call.id) && call.org.ledger.solvent && call.org.agent.busy(call.now)
          ? fail('busy')
          : usual(call),
      ),
  },
  {
    id: 'busy-costs-two',
    title: 'A run that has to wait costs two credits.',
    breaks: ['BUSY-COSTS'],
    mutate: () =>
      handle('runTask', (call, usual) => {
        const waits = call.org.agent.busy(call.now)
        const answer = usual(call)
        if (waits && call.org.tasks.get(call.id)?.run?.ended === false) call.org.ledger.topUp(-1, call.now)
        return answer
      }),
  },
  {
    id: 'busy-free',
    title: 'A run that has to wait is free.',
    breaks: ['BUSY-COSTS'],
    mutate: () =>
      handle('runTask', (call, usual) => {
        const waits = call.org.agent.busy(call.now) && call.org.tasks.get(call.id) && call.org.ledger.solvent
        if (waits) call.org.ledger.topUp(1, call.now)
        return usual(call)
      }),
  },
]
