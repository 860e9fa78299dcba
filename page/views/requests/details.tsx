/** One exchange: the request, the answer, and why it was answered so. Everything is text. */

import { useEffect } from 'preact/hooks'
import { useSignal } from '../../draw.ts'
import { type ExchangeDetail, isRequest } from '../../model/fault-rule.ts'
import { Back, Copy } from '../../parts/button.tsx'
import { Id } from '../../parts/id.tsx'
import { Code } from '../../parts/json.tsx'
import { count, durationOf, momentOf, pathOf, prettyOf } from '../../parts/text.ts'
import { param, stampOf } from '../../state/address.ts'
import { control } from '../../state/calls.ts'
import { log } from '../../state/requests.ts'
import { Actions, Edit } from './actions.tsx'
import { kindOf, outcomeOf } from './row.tsx'
import { WhyCard } from './why.tsx'

const detailOf = (number: number) => control<ExchangeDetail>(`GET /requests/${number}`)

/** The details; without a number, how to choose one. */
export function RequestDetails({ number }: { readonly number: number }) {
  const shown = useSignal<ExchangeDetail | undefined>(undefined)
  const problem = useSignal('')
  const stamp = param('t')
  useEffect(() => {
    let current = true
    problem.value = ''
    shown.value = undefined
    if (isRequest(number))
      void detailOf(number).then(
        (detail) => {
          if (!current) return
          if (stamp === '' || stamp === stampOf(detail.request.at)) shown.value = detail
          else
            problem.value = `The request of this link is not in this mock; here, #${number} is another one.`
        },
        (error: Error) => {
          if (!current) return
          problem.value = error.message
        },
      )
    return () => {
      current = false
    }
  }, [number, stamp])
  const detail = shown.value
  const action = isRequest(number) ? undefined : log.get(number)
  if (!detail)
    return (
      <p class="empty details" tabIndex={-1}>
        {problem.value ||
          (action && `${momentOf(action.at)}: an operator sent ${action.method} ${action.path}`) || (
            <>
              Choose a request, or press <kbd>j</kbd>.
            </>
          )}
      </p>
    )
  return (
    <section class="card details" tabIndex={-1} aria-labelledby="request-title">
      <Exchange detail={detail} />
    </section>
  )
}

function Exchange({ detail }: { readonly detail: ExchangeDetail }) {
  const { request: view, why } = detail
  const { number, id, at, duration_ms, status, error, org_id, operation } = view
  const task = /\/tasks\/([^/?]+)/.exec(view.request.url)?.[1]
  const facts = [operation ?? 'no operation', id, momentOf(at), durationOf(duration_ms)]
  return (
    <>
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
        #{number} · {facts.join(' · ')}
        {[org_id, task].map((one) => one && [' · ', <Id key={one} id={one} />])}
      </p>
      <WhyCard why={why} />
      <Actions detail={detail} />
      {param('edit') !== '' && <Edit key={number} detail={detail} />}
      <Message title="Request" {...view.request} />
      <Message title={status === 0 ? 'Answer that was never sent' : 'Answer'} {...view.answer} />
    </>
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
export function Message({ title, method, headers, body }: Props) {
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
