/** One exchange: the request, the answer, and why it was answered so. Everything is text. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ExchangeDetail } from '../../model/answers.ts'
import { Back, Copy } from '../../parts/button.tsx'
import { Code } from '../../parts/json.tsx'
import { count, durationOf, momentOf, pathOf, prettyOf } from '../../parts/text.ts'
import { hrefOf, param } from '../../state/address.ts'
import { control } from '../../state/calls.ts'
import { Actions, Edit } from './actions.tsx'
import { kindOf, outcomeOf } from './row.tsx'
import { WhyCard } from './why.tsx'

const detailOf = (number: number) => control<ExchangeDetail>(`GET /requests/${number}`)

/** The details; without a number, how to choose one. */
export function RequestDetails({ number }: { readonly number: number }) {
  const shown = useSignal<ExchangeDetail | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    let current = true
    problem.value = ''
    if (number === 0) shown.value = undefined
    else
      void detailOf(number).then(
        (detail) => {
          if (current) shown.value = detail
        },
        (error: Error) => {
          if (!current) return
          shown.value = undefined
          problem.value = error.message
        },
      )
    return () => {
      current = false
    }
  }, [number])
  const detail = shown.value
  if (!detail)
    return (
      <p class="empty details" tabIndex={-1}>
        {problem.value || (
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
  const { number, id, at, duration_ms, status, error, reason, wire, org_id, operation } = view
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
        {org_id !== null && (
          <>
            {' · '}
            <a href={hrefOf('overview', { org: org_id })}>{org_id}</a>
          </>
        )}
        {task !== undefined && (
          <>
            {' · '}
            <a href={hrefOf('tasks', { task })}>{task}</a>
          </>
        )}
      </p>
      <WhyCard why={why} />
      {(reason ?? wire) !== null && (
        <p class="mark">
          Fault: {reason} {wire !== null && `(connection: ${wire})`}
        </p>
      )}
      <Actions detail={detail} />
      {param('edit') !== '' && <Edit key={number} detail={detail} />}
      <Message title="Request" {...view.request} />
      <Message title={status === 0 ? 'Answer that was never sent' : 'Answer'} {...view.answer} />
    </>
  )
}

interface Props {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** One side of an exchange: its body, and its headers. */
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
