/** Chaos and quirks with their seed: of the organization, or of a new one that has them. */
import type { Vocabulary } from '../../model/fault-rule.ts'
import { Button, CopyLine } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { ParamField, RateChoice } from '../../parts/form.tsx'
import { param } from '../../state/address.ts'
import { createOrganization, organization } from '../../state/overview.ts'
import { act } from '../../state/requests.ts'

const usualName = 'ada'

/** The card. */
export function ChaosCard({ quirks: all }: { readonly quirks: Vocabulary['quirks'] }) {
  const name = param('new') || usualName
  const [chaos, seed, quirks] = ['chaos', 'cseed', 'quirks'].map(param)
  const given = [
    ['chaos', 'chaos', chaos],
    ['strict-client', 'strictClient', quirks],
  ].filter(([, , value]) => value)
  const textOf = (before: string, between: string) =>
    given.map(([flag, , value]) => before + flag + between + value).join('')
  const options = Object.fromEntries(given.map(([, option, value]) => [option, value]))
  const org = organization.value
  const set = () =>
    act(
      'Chaos and quirks',
      'PUT /behaviour',
      { chaos: chaos || 0, chaosSeed: seed || undefined, strictClient: quirks || false },
      'Set',
    )
  return (
    <Card
      title="Chaos and quirks"
      aside={
        org && (
          <span class="muted">
            {org.key_name}: chaos {org.chaos ?? 'off'}, quirks {org.strict_client ?? 'off'}
          </span>
        )
      }
    >
      <p class="muted">Chaos gives a share of requests some fault. Quirks are legal but unusual behaviour.</p>
      <div class="fields">
        <RateChoice name="chaos" label="Chaos: share" usual="none" />
        <ParamField name="quirks" label="Quirks: seed or ids" placeholder="7" />
        {chaos !== '' && <ParamField name="cseed" label="Chaos: seed" placeholder="of the mock" />}
        <Button kind="main" disabled={!org} act={set}>
          Set for {org?.key_name}
        </Button>
        <ParamField name="new" label="or for a new organization" placeholder={usualName} />
        <Button disabled={given.length === 0} act={() => createOrganization({ name, ...options })}>
          Create
        </Button>
      </div>
      <details open={given.length > 0}>
        <summary>The same as flag, key or code</summary>
        <CopyLine what="flag" text={`${START}${textOf(' --', ' ')}`} />
        <CopyLine what="key" text={`wak_test_${name}${textOf('.', '=')}`} />
        <CopyLine what="TypeScript" text={`createMock(${JSON.stringify(options)})`} />
      </details>
      <details>
        <summary>The {all.length} quirks</summary>
        <dl class="headers">
          {all.map(({ id, says }) => (
            <div key={id}>
              <dt>
                <code>{id}</code>
              </dt>
              <dd>{says}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Card>
  )
}
