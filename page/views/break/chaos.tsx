/** Chaos and quirks: a new organization that has them, with their seed. */
import type { Vocabulary } from '../../model/answers.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { CopyLine } from '../../parts/copy.tsx'
import { change, param } from '../../state/address.ts'
import { control } from '../../state/calls.ts'
import { attempt } from '../../state/notices.ts'
import { loadOverview } from '../../state/overview.ts'
import { ParamField } from './param-field.tsx'

const defaults = { name: 'ada', chaos: '', quirks: '' }

/** Reads the choices from the address. */
const read = () => ({
  name: param('new') || defaults.name,
  chaos: param('chaos'),
  quirks: param('quirks'),
})

/** The card. */
export function ChaosCard({ quirks: all }: { readonly quirks: Vocabulary['quirks'] }) {
  const { name, chaos, quirks } = read()
  const options = { ...(chaos && { chaos }), ...(quirks && { strictClient: quirks }) }
  const flags = [chaos && ` --chaos ${chaos}`, quirks && ` --strict-client ${quirks}`].join('')
  const key = [`wak_test_${name}`, chaos && `chaos=${chaos}`, quirks && `strict-client=${quirks}`].filter(
    Boolean,
  )
  const create = () =>
    attempt(
      'Create an organization',
      async () => {
        const body = { name, ...options }
        const { org_id } = await control<{ org_id: string }>('POST /organizations', { body })
        await loadOverview()
        change({ org: org_id })
      },
      `Created: ${name}`,
    )
  return (
    <Card title="Chaos and quirks">
      <p class="muted">
        Chaos gives a share of requests some fault. Quirks are legal but unusual behaviour: a seed draws them,
        ids choose them.
      </p>
      <div class="fields">
        <ParamField name="new" label="New organization" placeholder={defaults.name} />
        <ParamField name="chaos" label="Chaos: share" placeholder="0" type="number" step="0.05" max={1} />
        <ParamField name="quirks" label="Quirks: seed or ids" placeholder="7" />
        <Button kind="main" disabled={flags === ''} act={create}>
          Create
        </Button>
      </div>
      <details open={flags !== ''}>
        <summary>The same as a line</summary>
        <CopyLine what="flag" text={`npm start --${flags}`} />
        <CopyLine what="key" text={key.join('.')} />
        <CopyLine what="TypeScript" text={`createMock(${JSON.stringify(options)})`} />
      </details>
      <details>
        <summary>The {all.length} quirks</summary>
        <dl class="terms">
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
