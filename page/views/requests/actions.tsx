/** What can be done with an exchange: copy it, send it again, go to its moment. */
import type { ExchangeDetail } from '../../model/answers.ts'
import { Button } from '../../parts/button.tsx'
import { copy } from '../../parts/copy.tsx'
import { change, hrefOf, param } from '../../state/address.ts'
import { control } from '../../state/calls.ts'
import { Intents } from './intents.tsx'
import { sendAgain } from './send.ts'

const formats = { curl: 'curl', har: 'HAR', typescript: 'TypeScript test' }
type Format = keyof typeof formats

/** Copies a request in a format that first restores the state before it, so that any mock answers it alike. */
export const copyRequest = (number: number, format: Format): Promise<boolean> =>
  copy(
    `${formats[format]} with its state`,
    control<ExchangeDetail>(`GET /requests/${number}`, { query: { restore: 'true' } }).then(
      (detail) => detail.copy[format],
    ),
  )

/** The buttons. */
export function Actions({ detail }: { readonly detail: ExchangeDetail }) {
  const { request } = detail
  const { number, org_id } = request
  const editing = param('edit') !== ''
  return (
    <>
      <div class="row">
        {Object.entries(formats).map(([format, name]) => (
          <Button
            key={format}
            kind="small"
            label={`Copy ${name}`}
            act={() => copyRequest(number, format as Format)}
          >
            {name}
          </Button>
        ))}
        <Button kind="main small" act={() => sendAgain(number)}>
          Send again
        </Button>
        <button
          type="button"
          class="small"
          aria-expanded={editing}
          onClick={() => change({ edit: editing ? undefined : 1 }, { quiet: true })}
        >
          Edit and send
        </button>
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
