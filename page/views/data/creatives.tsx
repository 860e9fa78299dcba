/** Creatives with their images, and a form to generate one. */
import { Card } from '../../parts/card.tsx'
import { Field, Form, type Values } from '../../parts/form.tsx'
import { Longer } from '../../parts/longer.tsx'
import { momentOf } from '../../parts/text.ts'
import { callApi } from '../../state/calls.ts'
import { moment } from '../../state/details.ts'
import { attempt } from '../../state/notices.ts'
import type { Shown } from './shown.ts'

interface Creative {
  readonly id: string
  readonly prompt: string
  readonly width: number
  readonly height: number
  /** Mock time, ms since the epoch. */
  readonly created_at: number
  readonly url: string
}

/** The card. */
export function Creatives({ all, org }: Shown) {
  const newest = all.creatives as readonly object[] as readonly Creative[]
  const generate = (values: Values) =>
    attempt('Generate', () => callApi(org, 'POST /creative/generate', values))
  return (
    <Card title="Creatives">
      {moment.value === '' && (
        <Form
          label="New creative"
          usual={{ prompt: 'A calm sea' }}
          button="Generate (1 credit)"
          submit={generate}
        >
          <Field name="prompt" label="Prompt" placeholder="A calm sea" />
          <Field name="size" label="Size" placeholder="1024x1024" size={9} />
        </Form>
      )}
      <Longer
        class="pictures"
        items={newest}
        row={({ id, prompt, width, height, created_at, url }) => (
          <li key={id}>
            <img
              src={new URL(url, location.origin).pathname}
              width={160}
              height={120}
              alt={prompt}
              loading="lazy"
            />
            <p class="text">{prompt}</p>
            <p class="muted number">
              {width} × {height}, {momentOf(new Date(created_at).toISOString())}
            </p>
          </li>
        )}
      />
    </Card>
  )
}
