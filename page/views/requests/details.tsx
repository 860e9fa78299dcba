/** One exchange: the request, the answer, and why it was answered so. Everything is text. */
import { useLoaded } from '../../draw.ts'
import { type ExchangeDetail, isRequest } from '../../model/fault-rule.ts'
import { Back, Copy } from '../../parts/button.tsx'
import { NoDetails, Pairs } from '../../parts/card.tsx'
import { amount, count, durationOf, momentOf, pathOf, prettyOf, signed } from '../../parts/text.ts'
import { Code, Id } from '../../parts/value.tsx'
import { hrefOf, param, stampOf } from '../../state/address.ts'
import { control } from '../../state/calls.ts'
import { log } from '../../state/requests.ts'
import { Actions, Edit } from './actions.tsx'
import { kindOf, outcomeOf } from './row.tsx'

type Why = ExchangeDetail['why']

const origins = { rule: 'Fault rule', prefer: 'The Prefer header', magic: 'The text of the task' }

function WhyCard({ why }: { readonly why: Why }) {
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
  readonly changes: Why['changes']
  readonly none?: string
}

/** Each with the fields of what was added, or those that differ, before and after. */
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
            <dl class="difference">
              {change.fields.map((field) => (
                <div key={field}>
                  <dt>{field}</dt>
                  {change.before && <dd class="down">− {shownValue(change.before[field])}</dd>}
                  <dd class="up">
                    {change.before && '+ '}
                    {shownValue(change.after[field])}
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}

const shownValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** @throws Error if another request has the number now: when it was sent identifies the one of a link. */
async function detailOf(number: number, stamp: string): Promise<ExchangeDetail> {
  const detail = await control(`GET /requests/${number}`)
  if (stamp === '' || stamp === stampOf(detail.request.at)) return detail
  throw new Error(`The request of this link is not in this mock; here, #${number} is another one.`)
}

/** The details; without a number, how to choose one. */
export function RequestDetails({ number }: { readonly number: number }) {
  const stamp = param('t')
  const { value: detail, problem } = useLoaded(`${number} ${stamp}`, () =>
    isRequest(number) ? detailOf(number, stamp) : undefined,
  )
  const action = isRequest(number) ? undefined : log.get(number)
  if (!detail)
    return (
      <NoDetails
        what="request"
        says={
          problem || (action && `${momentOf(action.at)}: an operator sent ${action.method} ${action.path}`)
        }
      />
    )
  const { request: view, why } = detail
  const { id, at, duration_ms, status, error, org_id, operation } = view
  const task = /\/tasks\/([^/?]+)/.exec(view.request.url)?.[1]
  const facts = [operation ?? 'no operation', id, momentOf(at), durationOf(duration_ms)]
  return (
    <section class="card details" tabIndex={-1} aria-labelledby="request-title">
      <Back />
      <header>
        <h2 id="request-title">
          {view.request.method} <span class="break">{pathOf(view.request.url)}</span>
        </h2>
        <span class={`status ${kindOf(status)}`}>
          {outcomeOf({ ...view, ...why })} {error}
        </span>
      </header>
      <p class="muted">
        #{view.number} · {facts.join(' · ')}
        {[org_id, task].map((one) => one && [' · ', <Id key={one} id={one} />])}
      </p>
      <WhyCard why={why} />
      <Actions detail={detail} />
      {param('edit') !== '' && <Edit key={view.number} detail={detail} />}
      <Message title="Request" {...view.request} />
      <Message title={status === 0 ? 'Answer that was never sent' : 'Answer'} {...view.answer} />
    </section>
  )
}

interface Props {
  readonly title: string
  /** Of a request. */
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** One side of an exchange: its body, and its headers. */
function Message({ title, method, headers, body }: Props) {
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
        <p class="muted">
          {body === null && method !== 'GET' ? 'The body was not needed, so it was not read.' : 'No body.'}
        </p>
      )}
      <details>
        <summary>{count(fields.length, 'header')}</summary>
        <Pairs pairs={fields} />
      </details>
    </section>
  )
}
