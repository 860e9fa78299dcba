/** What can be done with an exchange: copy it, send it again, as it was or edited, or after something that shall happen then. */
import type { ExchangeDetail, OrgView } from '../../model/fault-rule.ts'
import { Button, copy } from '../../parts/button.tsx'
import { Choice, Field, Form, TextField, type Values } from '../../parts/form.tsx'
import { pathOf } from '../../parts/text.ts'
import { change, goAfter, hrefOf, param } from '../../state/address.ts'
import { control, controlUrl, token } from '../../state/calls.ts'
import { keepState, undoable } from '../../state/moments.ts'
import { attempt, notify } from '../../state/notices.ts'
import { organization, organizations } from '../../state/overview.ts'
import { moment, setState } from '../../state/requests.ts'

interface Intent {
  readonly label: string
  /** What happens next. */
  readonly says: string
  /** Whether it happens only to requests that are paid. */
  readonly paid?: true
  /** Sets it up. `operation`: only for this one. */
  readonly set: (org_id: string, operation: string) => Promise<unknown>
}

const state =
  (name: string, params?: object): Intent['set'] =>
  (org_id) =>
    setState(org_id, name, true, params)

const rule =
  (text: string): Intent['set'] =>
  (org_id, operation) =>
    control('POST /faults', { body: { org_id, rule: `${operation && `${operation}=`}${text};times=1` } })

const intents: readonly Intent[] = [
  {
    label: 'No credits',
    says: 'every paid request gets 402 until there are credits again',
    set: (org_id) => control('POST /credits', { body: { org_id, set: 0 } }),
  },
  {
    label: 'Busy',
    says: 'the next run gets 409 busy, for a minute',
    paid: true,
    set: state('agent_busy', { duration_ms: 60_000 }),
  },
  { label: 'Too many requests', says: 'the next request gets 429', set: rule('rate_limited') },
  {
    label: 'Lost answer',
    says: 'the next request takes effect, its answer is lost',
    set: rule('lost reset'),
  },
  {
    label: 'Failed run',
    says: 'the next run fails and is refunded',
    paid: true,
    set: state('next_run_fails'),
  },
]

interface Props {
  /** Only for this operation. */
  readonly operation?: string
  /** What follows, such as sending a request again. */
  readonly then?: () => unknown
}

export function Intents({ operation = '', then }: Props) {
  const org = organization.value
  if (!org) return null
  const heading = then ? 'Again with' : `For ${org.key_name}`
  const start = async ({ label, says, paid, set }: Intent) => {
    const first = paid && org.credits < 1 ? '; but without credits it gets 402 before that' : ''
    const done = await undoable(
      label,
      () => keepState(org.org_id),
      () => set(org.org_id, operation),
      `${label} for ${org.key_name}: ${says}${first}`,
    )
    if (done) await then?.()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div class="row" role="group" aria-label={heading}>
      <span class="muted">{heading}:</span>
      {intents.map((intent) => (
        <Button
          text={intent.label}
          key={intent.label}
          kind="small"
          disabled={moment.value !== ''}
          label={then && `Again: ${intent.label}`}
          act={() => start(intent)}
        />
      ))}
    </div>
  )
}

const formats = { curl: 'curl', har: 'HAR', typescript: 'TypeScript test' }
type Format = keyof typeof formats

/** Copies a request in a format that first restores the state before it, so that any mock answers it alike. */
export const copyRequest = (number: number, format: Format): Promise<boolean> =>
  copy(
    `${formats[format]} with its state`,
    control(`GET /requests/${number}`, { query: { restore: 'true' } }).then(({ request, copy }) =>
      withCredentials(copy[format], organizations.value.get(request.org_id ?? '')),
    ),
  )

/** Writes the credentials of an organization where a shell would look for variables, and the admin token. */
const withCredentials = (text: string, org: OrgView | undefined) =>
  org
    ? text
        .replaceAll('$WORK_AGENT_API_KEY', org.api_key)
        .replaceAll('$WORK_AGENT_SESSION_COOKIE', org.session_cookie)
        .replace('/__admin/restore', controlUrl('/restore', { token }))
    : text

export function Actions({ detail }: { readonly detail: ExchangeDetail }) {
  const { request } = detail
  const { number, org_id } = request
  const editing = param('edit') !== ''
  return (
    <>
      <div class="row">
        {Object.entries(formats).map(([format, name]) => (
          <Button
            text={name}
            key={format}
            kind="small"
            label={`Copy ${name}`}
            act={() => copyRequest(number, format as Format)}
          />
        ))}
        <Button text="Send again" kind="main small" act={() => sendAgain(number)} />
        <Button
          text="Edit and send"
          kind="small"
          aria-expanded={editing}
          act={() => change({ edit: editing ? undefined : 1 }, { quiet: true })}
        />
        {org_id !== null && (
          <a class="button small" href={hrefOf('travel', { org: org_id, at: number })}>
            Go to this moment
          </a>
        )}
      </div>
      <Intents operation={request.operation ?? ''} then={() => sendAgain(number)} />
    </>
  )
}

/** Headers that are not edited: the mock sends its own. */
const own = new Set(['authorization', 'cookie', 'host', 'content-length', 'connection', 'transfer-encoding'])

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, method] as const)

/** Reads `name: value` lines, those of one name as its list; undefined: one is none. */
function readHeaders(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^([^:\s]+):\s*(.*)$/.exec(line))
  if (pairs.some((pair) => pair === null)) return undefined
  const byName = Map.groupBy(pairs, (pair) => pair?.[1]?.toLowerCase())
  return Object.fromEntries([...byName].map(([name, all]) => [name, all.map((pair) => pair?.[2]).join(', ')]))
}

/** A form that changes a request and sends it. */
export function Edit({ detail }: { readonly detail: ExchangeDetail }) {
  const { number, request } = detail.request
  const shown = Object.entries(request.headers).filter(([name]) => !own.has(name))
  const send = async ({ method = request.method, path = '/', headers = '', body = '' }: Values) => {
    const read = readHeaders(headers)
    const edited = body === (request.body ?? '') ? undefined : body
    if (read) return sendAgain(number, { method, path, headers: read, body: edited })
    notify('failed', 'Send: write one header a line, as "name: value"')
    return false
  }
  return (
    <Form label="Edit and send" button="Send" submit={send} keep>
      <Choice name="method" label="Method" value={request.method} options={methods} />
      <Field name="path" label="Path" value={pathOf(request.url)} required size={60} />
      <TextField
        name="headers"
        label="Headers"
        rows={3}
        value={shown.map((pair) => pair.join(': ')).join('\n')}
      />
      <TextField name="body" label="Body" rows={5} value={request.body ?? ''} />
    </Form>
  )
}

/** Opens a request that was sent. */
const open = (sent: Promise<{ readonly number: number }>) =>
  attempt('Send', () =>
    goAfter(sent, ({ number }) => change({ n: number, t: undefined, until: number, edit: undefined })),
  )

/** Sends a simple request of the organization, where there is none to send again. */
export const sendFirst = (): Promise<boolean> => {
  const org_id = organization.peek()?.org_id
  return open(control('POST /requests/send', { body: { org_id, method: 'GET', path: '/api/cli/whoami' } }))
}

/** Sends it; the new request is then the one that is shown. `edited`: what replaces fields of it. */
export const sendAgain = (number: number, edited: object = {}): Promise<boolean> =>
  open(control(`POST /requests/${number}/send`, { body: edited }))
