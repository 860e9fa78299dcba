/** One exchange: the request, the answer, and why it was answered so. Everything is text. */
import { useLoaded } from '../../draw.ts'
import { actionTextOf, type ExchangeDetail, isRequestNumber, type LogRow } from '../../model/fault-rule.ts'
import { BackToList, CopyButton } from '../../parts/button.tsx'
import { NameValueList } from '../../parts/card.tsx'
import {
  countText,
  formatDuration,
  formatMoment,
  formatNumber,
  formatSignedNumber,
  pathOf,
  prettyJson,
} from '../../parts/text.ts'
import { CodeText, IdLink } from '../../parts/value.tsx'
import { addressParam, hrefOf, shortRequestTimeOf } from '../../state/address.ts'
import { callControlRoute } from '../../state/calls.ts'
import { requestLog } from '../../state/requests.ts'
import { EditRequestForm, ExchangeActions } from './actions.tsx'
import { requestOutcomeText, statusClassOf } from './row.tsx'

type Why = ExchangeDetail['why']

const origins = {
  rule: 'Fault rule',
  state: 'State',
  prefer: 'Prefer header',
  magic: 'The text',
}

function WhyCard({ why }: { readonly why: Why }) {
  const { sentence, fault, strict_client, quirks, variant, credits } = why
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
          {fault.remaining !== null && `, ${formatNumber(fault.remaining)} left`}
        </p>
      )}
      {credits && credits.after !== credits.before && (
        <p>
          Credits <span class="number">{formatNumber(credits.before)}</span> →{' '}
          <strong class="number">{formatNumber(credits.after)}</strong>{' '}
          <span class={credits.after < credits.before ? 'down' : 'up'}>
            ({formatSignedNumber(credits.after - credits.before)})
          </span>
        </p>
      )}
    </section>
  )
}

/** The changes that the request made, and those that time and operators had made before it. */
function ChangesCard({ why: { changes, earlier, complete, specification } }: { readonly why: Why }) {
  return (
    <section aria-label="Changes">
      {complete ? (
        <Changes title="What it changed" changes={changes} none="It changed nothing." />
      ) : (
        <p class="muted">What it changed is no longer kept.</p>
      )}
      {earlier.length > 0 && (
        <Changes title="What time and operators had changed before it" changes={earlier} />
      )}
      <details>
        <summary>Specification: {countText(specification.length, 'rule')}</summary>
        <ul class="specification">
          {specification.map((one) => (
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

/** A list of changes, each with its fields before and after. */
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
              <IdLink id={change.id} />
            </p>
            <dl class="difference">
              {fieldsOf(change).map((field) => (
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

/** The fields to show: no ids, and of a new resource none that are null. */
const fieldsOf = ({ fields, before, after }: Why['changes'][number]) =>
  fields.filter((field) => !/(^|_)id$/.test(field) && (before !== null || after[field] !== null))

const shownValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * The details of a request. @throws Error if its number belongs to another request than that of a link, which `stamp`
 * tells.
 */
async function detailOf(number: number, stamp: string): Promise<ExchangeDetail> {
  const detail = await callControlRoute(`GET /requests/${number}`)
  if (stamp === '' || stamp === shortRequestTimeOf(detail.request.at)) return detail
  throw new Error(`The request of this link is not in this mock; here, #${number} is another one.`)
}

/** The details of one request; without a number, a text that says how to choose one. */
export function RequestDetails({ number }: { readonly number: number }) {
  const stamp = addressParam('t')
  const { value: detail, problem } = useLoaded(`${number} ${stamp}`, () =>
    isRequestNumber(number) ? detailOf(number, stamp) : undefined,
  )
  if (!detail)
    return (
      <section class="card">
        <BackToList />
        <p class="empty">{problem ?? operatorText(requestLog.get(number))}</p>
      </section>
    )
  const { request: view, why } = detail
  const { id, at, duration_ms, status, error, org_id, operation } = view
  const task = /\/tasks\/([^/?]+)/.exec(view.request.url)?.[1]
  const facts = [operation ?? 'no operation', id, formatMoment(at), formatDuration(duration_ms)]
  return (
    <section class="card" aria-labelledby="request-title">
      <BackToList />
      <header>
        <h2 id="request-title">
          {view.request.method} <span class="break">{pathOf(view.request.url)}</span>
        </h2>
        <span class={`status ${statusClassOf(status)}`}>
          {requestOutcomeText({ ...view, ...why })} {error}
        </span>
      </header>
      <p class="muted">
        #{view.number} · {facts.join(' · ')}
        {[org_id, task].map((one) => one && [' · ', <IdLink key={one} id={one} />])}
      </p>
      <ExchangeActions detail={detail} />
      {addressParam('edit') !== '' && <EditRequestForm key={view.number} detail={detail} />}
      <WhyCard why={why} />
      <Message title={status === 0 ? 'Answer that was never sent' : 'Answer'} {...view.answer} />
      <ChangesCard why={why} />
      <Message title="Request" {...view.request} />
    </section>
  )
}

/** The action of an operator between two requests, in words; nothing while a request is loading. */
const operatorText = (action: LogRow | undefined) =>
  action &&
  !isRequestNumber(action.number) &&
  `${formatMoment(action.at)}: ${actionTextOf(action)} (an operator sent ${action.method} ${action.path})`

interface Props {
  readonly title: string
  /** Fields of a request. */
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** One side of an exchange: its body, and its headers. */
function Message({ title, method, headers, body }: Props) {
  const fields = Object.entries(headers)
  const wait = fields.find(([name]) => name.toLowerCase() === 'retry-after')
  return (
    <section class="message" aria-label={title}>
      <header>
        <h3>{title}</h3>
        {wait && <code>{wait.join(': ')}</code>}
        {body && <CopyButton what={`body of the ${title.toLowerCase()}`} label="Copy body" text={body} />}
      </header>
      {body ? (
        <CodeText label={`Body: ${title}`} text={prettyJson(body)} />
      ) : (
        <p class="muted">
          {body === null && method !== 'GET' ? 'The body was not needed, so it was not read.' : 'No body.'}
        </p>
      )}
      <details>
        <summary>{countText(fields.length, 'header')}</summary>
        <NameValueList pairs={fields} />
      </details>
    </section>
  )
}
