/** Why an answer is what it is: what decided it, what it changed, and the specification that it follows. */
import type { ChangeView, Why } from '#mocks/control/why.ts'
import { Id } from '../../parts/id.tsx'
import { amount, count, signed } from '../../parts/text.ts'
import { hrefOf } from '../../state/address.ts'

const origins = { rule: 'Fault rule', prefer: 'The Prefer header', magic: 'The text of the task' }

/** The reasons. */
export function WhyCard({ why }: { readonly why: Why }) {
  const { sentence, fault, strict_client, quirks, variant, credits, changes, earlier, complete } = why
  return (
    <section class="why" aria-label="Why this answer">
      <h3>Why this answer</h3>
      <p class="sentence">{sentence}</p>
      <p class="muted">
        The {variant} variant{strict_client !== null && `, quirks of seed ${strict_client}`}.
      </p>
      {quirks.length > 0 && (
        <ul>
          {quirks.map(({ id, says }) => (
            <li key={id}>
              <code>{id}</code>: {says}
            </li>
          ))}
        </ul>
      )}
      {fault && (
        <p>
          {origins[fault.origin]}
          {fault.rule !== null && (
            <>
              {' '}
              <a href={hrefOf('break')}>{fault.rule}</a>
            </>
          )}
          : <code>{fault.fault}</code>
          {fault.remaining !== null && `, ${amount(fault.remaining)} left`}
        </p>
      )}
      {credits && credits.after !== credits.before && (
        <p>
          Credits <span class="number">{amount(credits.before)}</span> →{' '}
          <strong class="number">{amount(credits.after)}</strong>{' '}
          <span class={credits.after < credits.before ? 'down' : 'up'}>
            ({signed(credits.after - credits.before)})
          </span>
        </p>
      )}
      <Changes title="What it changed" changes={changes} none="It changed nothing." />
      {earlier.length > 0 && (
        <Changes title="What time and operators had changed before it" changes={earlier} />
      )}
      {!complete && <p class="muted">This request is too old: its changes are no longer kept.</p>}
      <details>
        <summary>Specification: {count(why.specification.length, 'rule')}</summary>
        <ul class="specification">
          {why.specification.map((one) => (
            <li key={one.anchor}>
              <span class="muted">{one.section}</span>{' '}
              {one.sentence
                .split('`')
                .map((part, place) => (place % 2 ? <code key={place}>{part}</code> : part))}
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}

interface ChangesProps {
  readonly title: string
  readonly changes: readonly ChangeView[]
  readonly none?: string
}

function Changes({ title, changes, none }: ChangesProps) {
  return (
    <>
      <h4>{title}</h4>
      {changes.length === 0 && <p class="muted">{none}</p>}
      <ul class="changes">
        {changes.map((change) => (
          <li key={`${change.resource} ${change.id}`}>
            <p>
              <span class="tag">{change.kind}</span> {change.resource.replaceAll('_', ' ')}{' '}
              <Id id={change.id} />
            </p>
            <Difference change={change} />
          </li>
        ))}
      </ul>
    </>
  )
}

const shownValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The fields of what was added, or those that differ, before and after. */
function Difference({ change: { before, after, fields } }: { readonly change: ChangeView }) {
  return (
    <dl class="difference">
      {fields.map((field) => (
        <div key={field}>
          <dt>{field}</dt>
          {before && <dd class="down">− {shownValue(before[field])}</dd>}
          <dd class="up">
            {before && '+ '}
            {shownValue(after[field])}
          </dd>
        </div>
      ))}
    </dl>
  )
}
