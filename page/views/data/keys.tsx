/** API keys: created and deleted with the session of the organization, as the web application does. */
import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { CopyLine } from '../../parts/copy.tsx'
import { Field, Form } from '../../parts/form.tsx'
import { momentOf } from '../../parts/text.ts'
import { control } from '../../state/calls.ts'
import { moment } from '../../state/details.ts'
import { attempt } from '../../state/notices.ts'
import type { Shown } from './shown.ts'

interface Key {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly last_used_at: string | null
}

interface Sent {
  readonly number: number
  readonly status: number
  readonly answer: string
}

/** Sends a request of the organization; the mock adds the session. @throws Error if it is answered with an error. */
async function send(org_id: string, method: string, path: string, body?: string): Promise<string> {
  const sent = { org_id, method, path, body, headers: { 'content-type': 'application/json' } }
  const { number, status, answer } = await control<Sent>('POST /requests/send', { body: sent })
  if (status >= 400 || status === 0) throw new Error(`answered ${status}; see request ${number}`)
  return answer
}

/** The card. */
export function Keys({ all, org }: Shown) {
  const { org_id } = org
  const made = useSignal('')
  const past = moment.value !== ''
  const create = ({ name }: Readonly<Record<string, string>>) =>
    attempt('Create a key', async () => {
      made.value = JSON.parse(await send(org_id, 'POST', '/api/cli/keys', JSON.stringify({ name }))).secret
    })
  const remove = (id: string) =>
    attempt('Delete the key', () => send(org_id, 'DELETE', `/api/cli/keys/${encodeURIComponent(id)}`))
  return (
    <Card title="API keys">
      {!past && (
        <Form label="New key" usual={{ name: 'CI' }} button="Create" submit={create}>
          <Field name="name" label="Name" placeholder="CI" />
        </Form>
      )}
      {made.value !== '' && <CopyLine what="new secret, shown only now" text={made.value} />}
      <CopyLine what="key of this organization" text={org.api_key} />
      <ul class="entries">
        {(all.keys as readonly object[] as readonly Key[]).map(({ id, name, prefix, last_used_at }) => (
          <li key={id} class="entry">
            <p>
              <strong>{name}</strong> <code>{prefix}…</code>{' '}
              <span class="muted">
                {last_used_at === null ? 'never used' : `last used ${momentOf(last_used_at)}`}
              </span>
            </p>
            <Button kind="danger" disabled={past} label={`Delete the key ${name}`} act={() => remove(id)}>
              Delete
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
