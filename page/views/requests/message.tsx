/** One side of an exchange: its body, and its headers. Everything is text. */
import { Copy } from '../../parts/copy.tsx'
import { Code } from '../../parts/json.tsx'
import { count, prettyOf } from '../../parts/text.ts'

interface Props {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The message. */
export function Message({ title, headers, body }: Props) {
  const fields = Object.entries(headers)
  return (
    <section class="message" aria-label={title}>
      <header>
        <h3>{title}</h3>
        {body && <Copy what={`body of the ${title.toLowerCase()}`} label="Copy body" text={body} />}
      </header>
      {body ? (
        <Code label={`Body: ${title}`} text={prettyOf(body)} />
      ) : (
        <p class="muted">{body === null ? 'The body was not needed, so it was not read.' : 'No body.'}</p>
      )}
      <details>
        <summary>{count(fields.length, 'header')}</summary>
        <dl class="headers">
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}
