/** Actions on an exchange: copy it, send it again, as it was or edited, or after setting up a condition. */
import type { ExchangeDetail } from '../../model/fault-rule.ts'
import type { OrganizationView } from '../../model/organization.ts'
import { Button, copyWithNotice, Menu } from '../../parts/button.tsx'
import { SaveCopyForkButtons } from '../../parts/card.tsx'
import {
  Form,
  type FormValues,
  MultiLineTextField,
  SelectField,
  SingleLineTextField,
} from '../../parts/form.tsx'
import { pathOf } from '../../parts/text.ts'
import { addressParam, changeAddress, continueUnlessAddressChanged, hrefOf } from '../../state/address.ts'
import { adminToken, callControlRoute, controlUrl } from '../../state/calls.ts'
import { runWithNotice, showNotice } from '../../state/notices.ts'
import {
  activeFaultRules,
  defaultOrganizationName,
  getOrCreateShownOrganization,
  organizationsById,
  shownOrganization,
} from '../../state/overview.ts'
import { setProviderState, shownMoment, takeAllCreditsWithUndo } from '../../state/requests.ts'

/** A condition that was set up for the next requests. */
interface SetUp {
  /** Removes that condition, and undoes nothing else. */
  readonly undo: () => Promise<unknown>
  /** True while the condition has not taken effect or still applies. */
  readonly holds: (org: OrganizationView) => boolean
}

interface Intent {
  readonly label: string
  /** The next event, in words. */
  readonly says: string
  /** True if it happens only to requests that are paid. */
  readonly paid?: true
  /** Sets the condition up for an organization. `operation`: only for this one; empty: for all. */
  readonly set: (org_id: string, operation: string) => Promise<SetUp>
}

const state =
  (name: string, holds: (org: OrganizationView) => boolean, params?: object): Intent['set'] =>
  async (org_id) => {
    await setProviderState(org_id, name, true, params)
    return { undo: () => setProviderState(org_id, name, false), holds }
  }

const rule =
  (text: string): Intent['set'] =>
  async (org_id, operation) => {
    const body = { org_id, rule: `${operation && `${operation}=`}${text};times=1` }
    const { id } = await callControlRoute('POST /faults', { body })
    const undo = () => callControlRoute(`DELETE /faults/${encodeURIComponent(id)}`, { body: { org_id } })
    return { undo, holds: () => activeFaultRules.value.some((one) => one.id === id) }
  }

const intents: readonly Intent[] = [
  {
    label: 'No credits',
    says: 'every paid request gets 402 until there are credits again',
    async set(org_id) {
      return { undo: await takeAllCreditsWithUndo(org_id), holds: ({ credits }) => credits < 1 }
    },
  },
  {
    label: 'Busy',
    says: 'the next run gets 409 busy, for a minute',
    paid: true,
    set: state('agent_busy', ({ agent }) => agent.state !== 'idle', { duration_ms: 60_000 }),
  },
  { label: 'Too many requests', says: 'the next request gets 429', set: rule('rate_limited') },
  {
    label: 'Lost answer',
    says: 'the next paid request takes effect, its answer is lost',
    paid: true,
    set: rule('lost reset;cost=1'),
  },
  {
    label: 'Failed run',
    says: 'the next run fails and is refunded',
    paid: true,
    set: state('next_run_fails', ({ overrides }) => overrides.next_run_fails),
  },
]

/** Sets up the condition of an intent. Its notice offers to remove it, as long as it still applies. */
const start = ({ label, says, paid, set }: Intent, operation = ''): Promise<boolean> =>
  runWithNotice(label, async () => {
    const { org_id, key_name } = await getOrCreateShownOrganization()
    const { undo, holds } = await set(org_id, operation)
    const isPoor = paid && (organizationsById.peek().get(org_id)?.credits ?? 1) < 1
    const first = isPoor ? '; but without credits it gets 402 before that' : ''
    const back = () => runWithNotice(`Undo: ${label}`, undo, `Undone: ${label}`)
    showNotice('done', `${label} for ${key_name}: ${says}${first}`, back, () => {
      const org = organizationsById.value.get(org_id)
      return org !== undefined && holds(org)
    })
  })

/** Buttons that decide what happens to the next requests, such as a fault. */
export const NextRequestButtons = () => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
  <div class="row" role="group" aria-label="What happens next">
    <span class="muted">Next for {shownOrganization.value?.key_name ?? defaultOrganizationName}:</span>
    {intents.map((intent) => (
      <Button
        text={intent.label}
        key={intent.label}
        kind="small"
        disabled={shownMoment.value !== ''}
        act={() => start(intent)}
      />
    ))}
  </div>
)

const formats = { curl: 'curl', har: 'HAR', typescript: 'TypeScript test' }
type Format = keyof typeof formats

/** Copies a request in a format that first restores the state before it, so that any mock gives the same answer. */
export const copyRequestWithState = (number: number, format: Format): Promise<boolean> =>
  copyWithNotice(
    `${formats[format]} with its state`,
    callControlRoute(`GET /requests/${number}`, { query: { restore: 'true' } }).then(({ request, copy }) =>
      withCredentials(copy[format], organizationsById.value.get(request.org_id ?? '')),
    ),
  )

/** Replaces the shell variables in a text by the credentials of an organization, and adds the admin token. */
const withCredentials = (text: string, org: OrganizationView | undefined) =>
  org
    ? text
        .replaceAll('$WORK_AGENT_API_KEY', org.api_key)
        .replaceAll('$WORK_AGENT_SESSION_COOKIE', org.session_cookie)
        .replace('/__admin/restore', controlUrl('/restore', { token: adminToken }))
    : text

/** The buttons of one request: copy it, send it again as it was or edited, or decide what happens next. */
export function ExchangeActions({ detail }: { readonly detail: ExchangeDetail }) {
  const { number, org_id, operation } = detail.request
  const editing = addressParam('edit') !== ''
  const again = async (intent: Intent) => {
    if (await start(intent, operation ?? '')) await resendRequest(number)
  }
  return (
    <div class="row">
      <Button text="Send again" kind="main small" act={() => resendRequest(number)} />
      <Button
        text="Edit and send"
        kind="small"
        aria-expanded={editing}
        act={() => changeAddress({ edit: editing ? undefined : 1 }, { quiet: true })}
      />
      <Menu text="Again with">
        {intents.map((intent) => (
          <Button
            text={intent.label}
            key={intent.label}
            label={`Again: ${intent.label}`}
            act={() => again(intent)}
          />
        ))}
      </Menu>
      <Menu text="Copy">
        {Object.entries(formats).map(([format, name]) => (
          <Button
            text={name}
            key={format}
            label={`Copy ${name}`}
            act={() => copyRequestWithState(number, format as Format)}
          />
        ))}
      </Menu>
      {org_id !== null && (
        <Menu text="State before it">
          <SaveCopyForkButtons org_id={org_id} at={-number} />
          <a class="button" href={hrefOf('travel', { org: org_id, at: -number })}>
            Go to this moment
          </a>
        </Menu>
      )}
    </div>
  )
}

/** Headers that cannot be edited, since the mock sends its own. */
const own = /^(authorization|cookie|host|content-length|connection|transfer-encoding)$/

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, method] as const)

/**
 * Reads `name: value` lines; the values of a repeated name are joined as a list. Undefined: a line has another form.
 */
function readHeaders(text: string): Record<string, string> | undefined {
  const pairs = (text.match(/\S.*/g) ?? []).map((line) => /^([^:\s]+):\s*(.*)/.exec(line))
  if (pairs.includes(null)) return undefined
  const byName = Map.groupBy(pairs, (pair) => pair?.[1]?.toLowerCase())
  return Object.fromEntries([...byName].map(([name, all]) => [name, all.map((pair) => pair?.[2]).join(', ')]))
}

/** A form in which a recorded request can be edited and sent. */
export function EditRequestForm({ detail }: { readonly detail: ExchangeDetail }) {
  const { number, id, at, request } = detail.request
  const shown = Object.entries(request.headers).filter(([name]) => !own.test(name))
  const send = ({ method = request.method, path = '/', headers = '', body = '' }: FormValues) => {
    const read = readHeaders(headers)
    const edited = body === (request.body ?? '') ? undefined : body
    if (read) return resendRequest(number, { method, path, headers: read, body: edited })
    return open(Promise.reject(new Error('headers: write one header a line, as "name: value"')))
  }
  return (
    <Form label="Edit and send" button="Send" submit={send} of={id + at}>
      <SelectField name="method" label="Method" value={request.method} options={methods} />
      <SingleLineTextField name="path" label="Path" value={pathOf(request.url)} required size={60} />
      <MultiLineTextField
        name="headers"
        label="Headers"
        rows={3}
        value={shown.map((pair) => pair.join(': ')).join('\n')}
      />
      <MultiLineTextField name="body" label="Body" rows={5} value={request.body ?? ''} />
    </Form>
  )
}

/** Opens a request that was sent. */
const open = (sent: Promise<{ readonly number: number }>) =>
  runWithNotice('Send', () =>
    continueUnlessAddressChanged(sent, ({ number }) =>
      changeAddress({ n: number, t: undefined, until: number, edit: undefined }),
    ),
  )

/** Sends a simple request as the organization, for when there is none to send again. */
export const sendSampleRequest = (): Promise<boolean> =>
  open(
    getOrCreateShownOrganization().then(({ org_id }) =>
      callControlRoute('POST /requests/send', { body: { org_id, method: 'GET', path: '/api/cli/whoami' } }),
    ),
  )

/** Sends a recorded request again and opens the new one. `edited`: fields to replace. */
export const resendRequest = (number: number, edited: object = {}): Promise<boolean> =>
  open(callControlRoute(`POST /requests/${number}/send`, { body: edited }))
