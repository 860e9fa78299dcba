/** The effects: demands on what a client leaves behind whatever happens to a request, in the order of reports. */

import { countWithNoun } from '#reporting/markup.ts'
import type { ClientRuleId } from '#traffic/client-rule-id.ts'
import { readFaultReason, wordsInFaultReason } from '#traffic/fault-reason.ts'
import { hasReadableAnswer } from '../entries.ts'
import { type ClientDemand, mustRule, shouldRule } from '../rule.ts'
import { clientRules } from '../rules/index.ts'
import type { FaultRecoverability } from './plan.ts'
import {
  type ClientExchange,
  type ClientTrial,
  isAnyWorkDone,
  missingWorkTexts,
  pathWithoutQuery,
  rowKindByOperation,
} from './trial.ts'

/** The last requests of a run, as evidence. */
const lastOf = (requests: readonly ClientExchange[]) => requests.slice(-2)

/** Pairs of requests for an operation with the same body, the later one a repeat of the earlier one. */
function repeatedCreates(requests: readonly ClientExchange[], operation: string): ClientExchange[][] {
  const bodies = new Map<string | null, ClientExchange>()
  return requests.flatMap((one) => {
    if (one.operation !== operation) return []
    const earlier = bodies.get(one.request.body)
    bodies.set(one.request.body, one)
    return earlier ? [[earlier, one]] : []
  })
}

/** Limit of requests under a fault: `factor` times those of the run without one, and `requests` more. */
const more = { factor: 3, requests: 30 }

/** Requests that show whether a paid one took effect. */
const looks = new Set(['whoami', 'listTasks', 'getBilling', 'getTask', 'runTask'])

/** Operations whose answer no other route shows: without the answer, a client cannot have it. */
const shownOnce = new Set(['generateCreative', 'createKey'])

/** A gateway's 500 in the form of the API: a client may believe that the run was refused. */
const looksLikeRefusal = ({ reason }: ClientExchange) => {
  const fault = readFaultReason(reason)
  return fault !== undefined && wordsInFaultReason(fault).isSupersetOf(gatewayErrorInJson)
}
const gatewayErrorInJson: ReadonlySet<string> = new Set(['gateway_error', 'json'])

/**
 * The reason why the work of a client that ended with an error is done, in words; undefined if the client looked, and
 * could not know.
 */
function howDone({ work, requests }: ClientTrial, usual: ClientTrial): string | undefined {
  if (missingWorkTexts(work, usual.work).length === 0) return 'all of its work is done'
  if (missingWorkTexts({ ...work, open: [] }, usual.work).length === 0)
    return 'its run went on, and did its work'
  const abandoned = requests.findLastIndex(({ wire }) => wire === 'abandoned')
  const looked = requests.slice(abandoned + 1).some(({ request }) => request.method === 'GET')
  return looked ? undefined : 'a request that it gave up took effect, and did its work'
}

/** Every demand on what a client leaves behind after a fault, such as that it creates nothing twice. */
export const demandsOnWorkLeftBehind: readonly Effect[] = [
  shouldRule('creates-once', '§4', {
    statement: 'A client creates nothing twice, whatever happens to a request.',
    needs: 'work that creates something',
    fix: 'After a create request without a readable answer look into the list for what it would have created before you send it again.',
    followsFrom: ['pays-once'],
    judge({ trial, usual }) {
      const names = Object.entries(rowKindByOperation).filter(([, kind]) => usual.settled.created[kind] > 0)
      if (names.length === 0) return undefined
      for (const [operation, kind] of names) {
        const [made, wanted] = [trial.settled.created[kind], usual.settled.created[kind]]
        const again = repeatedCreates(trial.requests, operation)
        if (made > wanted && again.length > repeatedCreates(usual.requests, operation).length) {
          const violation = `created ${made} ${kind.replace('_', ' ')} where ${wanted} ${wanted === 1 ? 'is' : 'are'} wanted`
          return { evidence: again.at(-1) ?? [], violation }
        }
      }
      return {
        evidence: trial.requests
          .filter(({ operation }) => operation && operation in rowKindByOperation)
          .slice(-2),
      }
    },
  }),
  shouldRule('bounds-requests', '§8.1', {
    statement: 'A fault makes a client send a few requests more, and not any number of them.',
    needs: 'a request',
    fix: 'Limit every loop, and stop waiting for what was never accepted.',
    thresholds: `${more.factor} times the requests of the run without a fault, and ${more.requests} more, are a few.`,
    followsFrom: ['ends-in-time', 'stops-polling'],
    judge({ trial, usual }) {
      const [count, most] = [trial.requests.length, more.factor * usual.requests.length + more.requests]
      if (count === 0) return undefined
      const evidence = lastOf(trial.requests)
      if (count <= most) return { evidence }
      return {
        evidence,
        violation: `sent ${countWithNoun(count, 'request')} for work that takes ${usual.requests.length}`,
      }
    },
  }),
  mustRule('claims-done-work-only', '§3, §7', {
    statement: 'A client that ends without an error has done its work.',
    needs: 'a run of the client that ends without an error',
    fix: 'End with another exit code than 0 when a task was not created, a run was not accepted, or its end was not seen.',
    thresholds: 'A run that was accepted and failed is done: its credit is refunded, and nothing is claimed.',
    followsFrom: ['finishes-work', 'pays-once'],
    judge({ trial, usual }) {
      if (!trial.end?.ok || !isAnyWorkDone(usual.work)) return undefined
      const missing = missingWorkTexts(trial.work, usual.work)
      const evidence = lastOf(trial.requests)
      if (missing.length === 0) return { evidence }
      return { evidence, violation: `ended without an error with its work undone: ${missing.join(', ')}` }
    },
  }),
  shouldRule('keeps-track-of-runs', '§3.1, §3.2', {
    statement: 'A client leaves no run behind that it does not know of.',
    needs: 'a run whose request got no readable answer',
    fix: 'When the answer to a run request is lost, GET the task: a run that was accepted costs a credit, and goes on.',
    followsFrom: ['pays-once', 'claims-done-work-only', 'no-blind-repeat', 'ends-in-time'],
    judge({ trial }) {
      const unread = trial.requests.filter(
        (one) =>
          trial.settled.paid.includes(one.id) &&
          one.operation === 'runTask' &&
          !hasReadableAnswer(one) &&
          !looksLikeRefusal(one),
      )
      if (unread.length === 0 || !trial.end) return undefined
      const lookAfter = (run: ClientExchange) =>
        trial.requests
          .slice(trial.requests.indexOf(run) + 1)
          .find(
            (one) =>
              looks.has(one.operation ?? '') &&
              (one.operation !== 'getTask' || pathWithoutQuery(run) === `${pathWithoutQuery(one)}/run`),
          )
      const left = unread.find((run) => !lookAfter(run))
      if (!left) return { evidence: unread.slice(0, 1).flatMap((run) => [run, lookAfter(run) ?? []].flat()) }
      return {
        evidence: [left],
        violation: 'ended without a look at a run that it paid for, and whose request got no readable answer',
      }
    },
  }),
  shouldRule('reports-done-work', '§3, §7', {
    statement: 'A client does not report work as failed that is done.',
    needs: 'a run of the client whose work is done in the end, where no error says that it may give up',
    fix: 'When an answer is lost, send the request again if that is safe, as a GET is, and look what took effect if it is not.',
    followsFrom: ['keeps-track-of-runs', 'pays-once', 'creates-once', 'no-blind-repeat', 'finishes-work'],
    judge({ trial, usual, recoverability }) {
      if (!trial.end || recoverability !== 'doubt' || !isAnyWorkDone(usual.settled)) return undefined
      if (trial.requests.some((one) => shownOnce.has(one.operation ?? '') && !hasReadableAnswer(one)))
        return undefined
      const isRead = trial.settled.read >= usual.settled.read
      if (!isRead || missingWorkTexts(trial.settled, usual.settled).length > 0) return undefined
      const evidence = lastOf(trial.requests)
      const how = trial.end.ok ? undefined : howDone(trial, usual)
      return { evidence, violation: how && `ended with an error although ${how}` }
    },
  }),
]

/**
 * Every demand on a client, in the order of reports: rules, which judge its requests, then effects, which judge what it
 * leaves behind after a fault.
 */
export const clientDemands: readonly (ClientDemand & { readonly isEffect: boolean })[] = [
  ...clientRules.map((rule) => ({ ...rule, isEffect: false })),
  ...demandsOnWorkLeftBehind.map((effect) => ({ ...effect, isEffect: true })),
]

/** A run under a fault, and the same run without one. */
interface Comparison {
  readonly trial: ClientTrial
  readonly usual: ClientTrial
  readonly recoverability: FaultRecoverability
}

/** The state that a client left behind after a fault, with its evidence; without a violation it is allowed. */
interface Consequence {
  readonly evidence: readonly ClientExchange[]
  /** Violation in the past tense, without a subject. */
  readonly violation?: string | undefined
}

/** A demand on what a client leaves behind. */
interface Effect extends ClientDemand {
  /**
   * Ids of rules and effects whose violation in the same run explains a violation of this one, unless their level is
   * lower.
   */
  readonly followsFrom: readonly ClientRuleId[]
  /** Undefined: the run does not show it. */
  judge(comparison: Comparison): Consequence | undefined
}
