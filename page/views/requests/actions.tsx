/** What can be done with an exchange: copy it, send it again, go to its moment. */
import type { ExchangeDetail } from '../../model/answers.ts'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { change, hrefOf, param } from '../../state/address.ts'
import { Intents } from './intents.tsx'
import { sendAgain } from './send.ts'

/** The buttons. */
export function Actions({ detail }: { readonly detail: ExchangeDetail }) {
  const { request, copy } = detail
  const { number, org_id } = request
  const editing = param('edit') !== ''
  return (
    <>
      <div class="row">
        <Copy what="curl" text={copy.curl} label="curl" />
        <Copy what="HAR" text={copy.har} label="HAR" />
        <Copy what="TypeScript test" text={copy.typescript} label="TypeScript test" />
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
