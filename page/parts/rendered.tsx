/**
 * Draws a document that the mock rendered, such as a report or Markdown. Only known elements are taken from it, so that
 * nothing but text and structure gets into the page, whatever the document contains.
 */
import type { ComponentChildren } from 'preact'
import { adminToken, controlUrl } from '../state/calls.ts'
import { openEvidenceRequest } from '../state/requests.ts'
import { CopyButton } from './button.tsx'
import { createWordMatcher, formatNumber } from './text.ts'

/**
 * Loads an HTML document that the mock renders, such as a report, without running its scripts. `text`: the content to
 * be rendered; `refusal`: the error if it cannot be.
 */
export const loadRenderedDocument = (
  route: '/report' | '/render' | '/judge',
  query: Readonly<Record<string, string | undefined>>,
  text?: object,
  refusal = 'no report, history, saved state or HAR',
): Promise<Document> =>
  new Promise((resolve, reject) => {
    const call = new XMLHttpRequest()
    call.open(text ? 'POST' : 'GET', controlUrl(route, { ...query, plain: 'true' }))
    if (adminToken !== undefined) call.setRequestHeader('x-admin-token', adminToken)
    call.responseType = 'document'
    call.onload = () =>
      call.status === 200 && call.responseXML ? resolve(call.responseXML) : reject(new Error(refusal))
    call.onerror = () => reject(new Error('no answer from the mock'))
    call.send(text && JSON.stringify(text))
  })

const tags =
  /^(section|article|header|h\d|p|[uo]l|li|d[ltd]|div|details|summary|pre|code|b|i|small|span|table|caption|thead|tbody|t[rhd])$/
/** Outcomes that need no attention, by their first letters, which those of the other outcomes are not. */
const idle = /^[enp]/

interface Props {
  readonly document: Document
  /** Words that each shown result contains. */
  readonly search?: string
}

/** Draws an HTML document: only known elements, and no scripts. `search`: words that each shown result contains. */
export function SanitizedDocument({ document, search = '' }: Props) {
  const isFound = createWordMatcher(search)
  const groups = Map.groupBy(
    [...document.querySelectorAll('article')].filter(({ textContent }) => isFound(textContent)),
    ({ dataset }) => dataset.outcome ?? '',
  )
  return (
    <div class="report">
      {[...document.body.children].map((one) => !one.matches('nav, main, script') && draw(one))}
      {[...groups].map(([outcome, all]) => (
        <details key={outcome} open={search !== '' || !idle.test(outcome)}>
          <summary>
            {formatNumber(all.length)} {outcome.replaceAll('_', ' ')}
          </summary>
          {all.map(draw)}
        </details>
      ))}
    </div>
  )
}

function draw(node: Node): ComponentChildren {
  if (node instanceof Text) return node.data
  if (!(node instanceof HTMLElement)) return null
  const { localName, id, dataset, title, className, textContent } = node
  const children = [...node.childNodes].map(draw)
  if (localName === 'button')
    return (
      <CopyButton
        what="command"
        label="Copy"
        text={node.parentElement?.nextElementSibling?.textContent ?? ''}
      />
    )
  const { request, at = '' } = dataset
  const href = node.getAttribute('href') ?? ''
  const target = href.slice(1)
  if (request !== undefined || target.startsWith('run-'))
    return (
      <button
        type="button"
        class={`link ${className}`}
        title={title}
        onClick={({ currentTarget }) =>
          request === undefined ? show(currentTarget, target) : openEvidenceRequest(request, at)
        }
      >
        {children}
      </button>
    )
  if (/^(https?|mailto):/.test(href))
    return (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    )
  if (localName === 'a') return <strong class="break">{textContent}</strong>
  if (!tags.test(localName)) return null
  const Tag = localName as 'div'
  return (
    // Scrollable content must be reachable by keyboard.
    <Tag
      class={className}
      data-id={id}
      title={title}
      style={placeOf(dataset.style)}
      tabIndex={localName === 'table' ? 0 : undefined}
    >
      {children}
    </Tag>
  )
}

/** Returns a style that only places an element in a grid; undefined if it does anything else. */
const placeOf = (style = '') =>
  /^grid-[\w-]+:[\w /(),.]+(;grid-column:[\w /]+)?$/.test(style) ? style : undefined

/** Opens and scrolls to the run of a cell in a matrix. */
function show(from: HTMLElement, id: string): void {
  const all = from.closest('.report')?.querySelectorAll<HTMLDetailsElement>('details[data-id]') ?? []
  const run = [...all].find(({ dataset }) => encodeURIComponent(dataset.id ?? '') === id)
  for (let at: Element | null | undefined = run; at; at = at.parentElement)
    if (at instanceof HTMLDetailsElement) at.open = true
  run?.scrollIntoView({ block: 'center' })
}
