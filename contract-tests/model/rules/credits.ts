/** §2, §3.2, §8.2: the balance falls by paid work only, and rises by its refunds only. */
import type { OperationId } from '#contract/operation.ts'
import { field, idOf } from '#traffic/exchange.ts'
import { boundsAt } from '../balance.ts'
import { isSuccess } from '../event.ts'
import { brief, hadEffect, numberAt } from '../matching.ts'
import { type Rule, rule } from '../violation.ts'
import { hold } from './found.ts'

const explained = (operation: OperationId, requirement: string, anchor: string): Rule =>
  rule({
    id: `credits-explained-${operation}`,
    requirement,
    anchor,
    operations: [operation],
    others: true,
    judge(org, event, state) {
      const credits = numberAt(event.answer.json, 'credits')
      const { least, most, leastBy, mostBy } = boundsAt(org.balance, event, state)
      if (!isSuccess(event.answer) || credits === undefined || leastBy.length === 0) return undefined
      const expected = least === most ? String(least) : `${least} to ${most}`
      const by = credits < least ? leastBy : mostBy
      return hold(credits >= least && credits <= most, `credits: ${expected}`, String(credits), ...by)
    },
  })

const affordable = (operation: OperationId, requirement: string): Rule =>
  rule({
    id: `affordable-${operation}`,
    requirement,
    anchor: 'run-without-credit',
    operations: [operation],
    others: true,
    judge({ balance }, event, state) {
      const { most, mostBy } = boundsAt(balance, event, state)
      if (mostBy.length === 0 || !hadEffect(event.answer)) return undefined
      return hold(most >= 1, `402: at most ${most} credits are left`, brief(event.answer), ...mostBy)
    },
  })

const solvent = (operation: OperationId, requirement: string): Rule =>
  rule({
    id: `solvent-${operation}`,
    requirement,
    anchor: 'error-no-credits',
    operations: [operation],
    others: true,
    judge({ balance }, event, state) {
      const { least, leastBy } = boundsAt(balance, event, state)
      if (least < 1) return undefined
      return hold(
        event.answer.status !== 402,
        `no 402 with ${least} credits`,
        brief(event.answer),
        ...leastBy,
      )
    },
  })

export const credits: readonly Rule[] = [
  explained('whoami', 'CREDITS-RUN-COSTS-ONE', 'prices'),
  explained('listTasks', 'CREDITS-IN-LIST', 'task-credits'),
  explained('createTask', 'CREDITS-IN-CREATE', 'task-credits'),
  affordable('runTask', 'NO-CREDITS-REFUSED'),
  affordable('generateCreative', 'NO-CREDITS-CREATIVE'),
  solvent('runTask', 'RUN-ACCEPTED'),
  solvent('generateCreative', 'CREATIVE-ACCEPTED'),
  rule({
    id: 'creative-unique',
    requirement: 'CREATIVE-UNIQUE',
    anchor: 'creative-fields',
    operations: ['generateCreative'],
    judge({ minted }, { answer }) {
      const id = idOf(field(answer.json, 'artifactId'))
      if (!isSuccess(answer) || id === undefined) return undefined
      const other = minted.get(`creative ${id}`)
      return hold(!other, 'a new artifactId', `${id} twice`, ...(other ? [other.by] : []))
    },
  }),
]
