/** Errors with other statuses, codes and messages: clients branch on `error`, and on 422 and 500 even that is open (§7). */

import type { Fields } from '#traffic/change-at.ts'
import { Failure } from '../core/failure.ts'
import { type HandleQuirk, pick, type Quirk } from './quirk.ts'

type Texts = readonly [string, ...string[]]

const messages: Texts = [
  'Das ging leider nicht. Bitte lies die Hinweise und versuche es dann anders.',
  'Sorry! Something about this request is not quite right; details are in your dashboard.',
  '申し訳ありません。この要求は受け付けられません。',
  'success was not achieved: unauthorized? no_credits? busy? Ask support, they know.',
]

/** Rewrites errors of some statuses: another status, and one of some texts in a field. */
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
          body: { ...(parts.body as Fields), [field]: pick(random, texts) },
        }
      : parts,
})

const badInput = (status: number, codes: Texts, share?: number): Quirk => ({
  id: `bad-input-${status}`,
  title: `Bad input is answered ${status} ${codes.join(' or ')}.`,
  allowed: '#error-invalid-request, #codes-422-500: the status of bad input, and the code of 422, are open.',
  group: 'bad input',
  scope: 'answer',
  ...(share ? { share } : {}),
  ...errors((given) => given === 400 || given === 422, 'error', codes, status),
})

/** What is not there can be deleted, or marked as read, all the same. */
const forgive: HandleQuirk = (call, usual) => {
  const outcome = usual(call)
  return outcome instanceof Failure && outcome.name === 'not_found' ? { ok: true } : outcome
}

export const errorQuirks: readonly Quirk[] = [
  badInput(400, ['invalid_request']),
  badInput(409, ['invalid_request']),
  badInput(422, ['validation_failed', 'unprocessable', 'E_SCHEMA'], 0.35),
  {
    id: 'errors-other-table',
    title: 'Errors follow the table of the other variant.',
    allowed: '#variants, #status-422: whether bad input is 400 or 422 is open.',
    group: 'bad input',
    scope: 'answer',
    share: 0.35,
    otherErrors: true,
  },
  {
    id: 'error-codes-500',
    title: 'A 500 has a code that no client knows.',
    allowed: '#codes-422-500: the code is unpublished.',
    scope: 'answer',
    share: 0.7,
    ...errors((status) => status === 500, 'error', ['oops', 'internal', 'E_UNKNOWN']),
  },
  {
    id: 'messages-reworded',
    title: 'Messages of errors are in other words and languages.',
    allowed: '#error-body: the wording of a message is open.',
    group: 'messages',
    scope: 'answer',
    share: 0.5,
    ...errors((status) => status >= 400, 'message', messages),
  },
  {
    id: 'unknown-fields-refused',
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
  {
    id: 'other-types-refused',
    title: 'A body that is not declared as application/json is refused.',
    allowed: '#json-only, #error-invalid-request: whether a body of another type counts as JSON is open.',
    share: 0.3,
    readsType: (type) => /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type ?? ''),
  },
  {
    id: 'key-unknown-deleted',
    title: 'Deleting an unknown key answers ok: true.',
    allowed: '#delete-key: an unknown key may be a success.',
    share: 0.3,
    handle: { deleteKey: forgive },
  },
  {
    id: 'notification-unknown-read',
    title: 'Marking an unknown notification as read answers ok: true.',
    allowed: '#read-notification: an unknown notification may be a success.',
    share: 0.3,
    handle: { readNotification: forgive },
  },
]
