/**
 * Quirks of behaviour. Errors with other statuses, codes and messages: clients branch on `error`, and on 422 and 500
 * even that is open (§7). Runs that are over at once or late, find the agent busy, or happen once only (§3). Other
 * variants.
 */
import type { OperationId } from '#contract/operation.ts'
import type { JsonObject } from '#traffic/exchange.ts'
import { createFailure, Failure } from '../core/failure.ts'
import { otherVariant } from '../handlers/respond.ts'
import { type HandlerWrapper, pickRandom, type Quirk, type QuirkTable, quirkListOf } from './quirk.ts'

type Texts = readonly [string, ...string[]]

const messages: Texts = [
  'Das ging leider nicht. Bitte lies die Hinweise und versuche es dann anders.',
  'Sorry! Something about this request is not quite right; details are in your dashboard.',
  '申し訳ありません。この要求は受け付けられません。',
  'success was not achieved: unauthorized? no_credits? busy? Ask support, they know.',
]

/** A rewrite of errors with some statuses: one of `texts` in a field, and another status if one is given. */
const errors = (
  meant: (status: number) => boolean,
  field: 'error' | 'message',
  texts: Texts,
  other?: number,
): Pick<Quirk, 'rewrite'> => ({
  rewrite: (parts, { random }) =>
    meant(parts.status)
      ? {
          ...parts,
          status: other ?? parts.status,
          body: { ...(parts.body as JsonObject), [field]: pickRandom(random, texts) },
        }
      : parts,
})

const badInput = (status: number, codes: Texts, share?: number): QuirkTable => ({
  [`bad-input-${status}`]: {
    title: `Bad input is answered ${status} ${codes.join(' or ')}.`,
    allowed:
      '#error-invalid-request, #codes-422-500: the status of bad input, and the code of 422, are open.',
    group: 'bad input',
    scope: 'answer',
    ...(share ? { share } : {}),
    ...errors((given) => given === 400 || given === 422, 'error', codes, status),
  },
})

/** Answers a success if the resource to delete, or to mark as read, is missing. */
const forgive: HandlerWrapper = (call, usual) => {
  const outcome = usual(call)
  return outcome instanceof Failure && outcome.name === 'not_found' ? { ok: true } : outcome
}

/** Quirks (legal but unusual behaviours) of error answers: other statuses, codes and messages. */
export const errorQuirks = quirkListOf({
  ...badInput(400, ['invalid_request']),
  ...badInput(409, ['invalid_request']),
  ...badInput(422, ['validation_failed', 'unprocessable', 'E_SCHEMA'], 0.35),
  'errors-other-table': {
    title: 'Errors follow the table of the other variant.',
    allowed: '#variants, #status-422: whether bad input is 400 or 422 is open.',
    group: 'bad input',
    scope: 'answer',
    share: 0.35,
    otherErrors: true,
  },
  'error-codes-500': {
    title: 'A 500 has a code that no client knows.',
    allowed: '#codes-422-500: the code is unpublished.',
    scope: 'answer',
    share: 0.7,
    ...errors((status) => status === 500, 'error', ['oops', 'internal', 'E_UNKNOWN']),
  },
  'messages-reworded': {
    title: 'Messages of errors are in other words and languages.',
    allowed: '#error-body: the wording of a message is open.',
    group: 'messages',
    scope: 'answer',
    share: 0.5,
    ...errors((status) => status >= 400, 'message', messages),
  },
  'unknown-fields-refused': {
    title: 'Unknown body fields are refused.',
    allowed: '#error-invalid-request: unknown fields may be refused.',
    share: 0.3,
    bodyOf: (schema, refused) =>
      schema.loose().superRefine((body, context) => {
        const keys = Object.keys(body).filter((key) => !Object.hasOwn(schema.shape, key))
        if (keys.length === 0) return
        refused()
        context.addIssue({ code: 'unrecognized_keys', keys, input: body })
      }),
  },
  'other-types-refused': {
    title: 'A body that is not declared as application/json is refused.',
    allowed: '#json-only, #error-invalid-request: whether a body of another type counts as JSON is open.',
    share: 0.3,
    readsType: (type) => /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type ?? ''),
  },
  'key-unknown-deleted': {
    title: 'Deleting an unknown key answers ok: true.',
    allowed: '#delete-key: an unknown key may be a success.',
    share: 0.3,
    handle: { deleteKey: forgive },
  },
  'notification-unknown-read': {
    title: 'Marking an unknown notification as read answers ok: true.',
    allowed: '#read-notification: an unknown notification may be a success.',
    share: 0.3,
    handle: { readNotification: forgive },
  },
})

/** A quirk that changes the length of runs, ms, where time decides when they end. */
const length = (id: string, title: string, change: (usual: number) => number, share?: number): QuirkTable => {
  const runTask: HandlerWrapper = (call, usual) => {
    const { duration_ms, progress } = call.org.runPolicy
    return usual(progress === 'time' ? { ...call, runOverrides: { duration_ms: change(duration_ms) } } : call)
  }
  return {
    [id]: {
      title,
      allowed: '#asynchronous-work: a run may take any time, or be over at once.',
      group: 'run length',
      scope: 'run',
      ...(share ? { share } : {}),
      handle: { runTask },
    },
  }
}

/** The times for which the agent may be busy with other work, ms. */
const otherWork = [150, 800, 1_500] as const

/** Quirks (legal but unusual behaviours) of how runs start, proceed and end. */
export const runQuirks = quirkListOf({
  ...length('runs-at-once', 'Runs end at once.', () => 0, 1 / 3),
  ...length('runs-short', 'A run takes half of the usual time.', (usual) => usual / 2, 1 / 6),
  ...length('runs-double', 'A run takes twice as long as usual.', (usual) => usual * 2, 1 / 6),
  ...length('runs-fourfold', 'A run takes four times as long as usual.', (usual) => usual * 4, 1 / 6),
  ...length('runs-slow', 'A run takes 45 seconds.', () => 45_000),
  'runs-busy-first': {
    title:
      'The first run of a task finds the agent busy with other work; it is accepted, and starts by itself.',
    allowed: '#busy-answer: the agent may be occupied elsewhere.',
    scope: 'run',
    share: 0.25,
    handle: {
      runTask(call, usual, random) {
        const { org, now } = call
        if (org.tasks.get(call.id)?.run || !org.ledger.canReserve) return usual(call)
        org.agent.busyUntil(now + pickRandom(random, otherWork))
        return usual({ ...call })
      },
    },
  },
  'run-again-conflict': {
    title: 'A finished task does not run again: 409 invalid_request.',
    allowed: '#run-with-credit: another run may be refused.',
    group: 'run again',
    share: 0.3,
    handle: {
      runTask: (call, usual) =>
        call.org.tasks.get(call.id)?.run?.ended
          ? createFailure('conflict', 'This task has run; it runs once.')
          : usual(call),
    },
  },
})

/** The quirks of the variant of one operation. `mixed`: the id of the first one. */
const variantOf = (operation: OperationId, mixed = `variants-mixed-${operation}`): QuirkTable => ({
  [mixed]: {
    title: `${operation} follows the other variant than the rest.`,
    allowed: '#variants: different variants on different routes are a SHOULD finding.',
    group: `variant of ${operation}`,
    share: 1 / 3,
    variants: (usual) => ({ [operation]: otherVariant(usual) }),
  },
  [`variants-both-${operation}`]: {
    title: `${operation} has the fields of both variants.`,
    allowed: '#variants: the fields of both are legitimate.',
    group: `variant of ${operation}`,
    share: 1 / 3,
    variants: () => ({ [operation]: 'both' }),
  },
})

/** Quirks (legal but unusual behaviours) by which the service mixes the two variants of the API. */
export const variantQuirks = quirkListOf({
  'variants-superset': {
    title: 'Answers have the fields of both variants.',
    allowed: '#variants: the fields of both are legitimate.',
    group: 'variant',
    variants: () => ({ listTasks: 'both', createTask: 'both', runTask: 'both' }),
  },
  ...variantOf('listTasks', 'variants-mixed'),
  ...variantOf('createTask'),
  ...variantOf('runTask'),
})
