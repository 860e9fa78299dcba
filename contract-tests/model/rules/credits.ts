/** §2, §3.2, §8.2: the balance falls by paid work only, and rises by its refunds only. */
import type { OperationId } from '#contract/operation.ts'
import { field, idOf } from '#traffic/exchange.ts'
import { causeAt, fitsAt } from '../attribution.ts'
import { boundsAt } from '../balance.ts'
import { isSuccess } from '../event.ts'
import { brief, hadEffect, numberAt } from '../matching.ts'
import { type Others, type Rule, required, rule } from '../violation.ts'

const explained = (operation: OperationId, requirement: string, anchor: string, others: Others): Rule =>
  rule(`credits-explained-${operation}`, requirement, anchor, [operation], { others }).judge(
    (org, event, state) => {
      const credits = numberAt(event.answer.json, 'credits')
      const { least, unrefunded, most, leastBy, mostBy } = boundsAt(org.balance, event, state)
      if (!isSuccess(event.answer) || credits === undefined || leastBy.length === 0) return undefined
      if (credits >= unrefunded && credits <= most)
        return least === most ? { fits: fitsAt(state, event, leastBy) } : true
      const range = least === most ? least : `${least} to ${most}`
      // Of readings that contradict each other, one bound is violated at least.
      const open = credits < least ? `${least} or more` : `at most ${most}`
      const expected = `credits: ${least > most ? open : range}`
      const [because, bound] = credits < least ? [leastBy, least] : [mostBy, most]
      const delta = credits - bound
      const cause = operation === 'whoami' ? causeAt(state, event, because, delta) : undefined
      return { expected, actual: `credits: ${credits}`, because, delta, cause }
    },
  )

const affordable = (operation: OperationId, requirement: string): Rule =>
  rule(`affordable-${operation}`, requirement, 'run-without-credit', [operation], { others: true }).judge(
    ({ balance }, event, state) => {
      const { most, mostBy } = boundsAt(balance, event, state)
      if (mostBy.length === 0 || !hadEffect(event.answer)) return undefined
      return required(most >= 1, `402: at most ${most} credits are left`, brief(event.answer), ...mostBy)
    },
  )

const solvent = (operation: OperationId, requirement: string): Rule =>
  rule(`solvent-${operation}`, requirement, 'error-no-credits', [operation], { others: 'balance' }).judge(
    ({ balance }, event, state) => {
      const { least, leastBy } = boundsAt(balance, event, state)
      if (least < 1) return undefined
      const { answer } = event
      return required(answer.status !== 402, `no 402 with ${least} credits`, brief(answer), ...leastBy)
    },
  )

export const credits: readonly Rule[] = [
  explained('whoami', 'CREDITS-RUN-COSTS-ONE', 'prices', true),
  explained('listTasks', 'CREDITS-IN-LIST', 'task-credits', 'balance'),
  explained('createTask', 'CREDITS-IN-CREATE', 'task-credits', 'balance'),
  rule('refund-comes', 'CREDITS-REFUND', 'run-refund', ['whoami'], { others: true }).judge(
    (org, event, state) => {
      const credits = numberAt(event.answer.json, 'credits')
      const { least, unrefunded, leastBy } = boundsAt(org.balance, event, state)
      if (!isSuccess(event.answer) || credits === undefined || unrefunded === least) return undefined
      if (credits < unrefunded) return undefined
      if (credits >= least) return true
      const expected = `credits: ${least} or more, since runs failed`
      const delta = credits - least
      const cause = causeAt(state, event, leastBy, delta, true)
      return { expected, actual: `credits: ${credits}`, because: leastBy, delta, cause }
    },
  ),
  affordable('runTask', 'NO-CREDITS-REFUSED'),
  affordable('generateCreative', 'NO-CREDITS-CREATIVE'),
  rule('affordable-together', 'CREDITS-ATOMIC', 'billing-unavoidable', ['whoami'], { others: true }).judge(
    ({ balance }, event, state) => {
      const { overspent, mostBy } = boundsAt(balance, event, state)
      if (mostBy.length === 0 || !isSuccess(event.answer)) return undefined
      const actual = `${overspent} more than that`
      return required(overspent === 0, 'no more runs and creatives than credits', actual, ...mostBy)
    },
  ),
  solvent('runTask', 'RUN-ACCEPTED'),
  solvent('generateCreative', 'CREATIVE-ACCEPTED'),
  rule('creative-unique', 'CREATIVE-UNIQUE', 'creative-fields', ['generateCreative'], {
    direct: true,
  }).judge(({ issuedIds }, { answer }) => {
    const id = idOf(field(answer.json, 'artifactId'))
    if (!isSuccess(answer) || id === undefined) return undefined
    if (!issuedIds.keys().some((one) => one.startsWith('creative '))) return undefined
    const other = issuedIds.get(`creative ${id}`)
    return required(!other, 'a new artifactId', `${id} twice`, other?.by)
  }),
]
