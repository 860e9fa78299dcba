/** A report: its outcome, its totals, and each result, failures first. */
import type { Evidence, Report, Result } from '../../model/report.ts'
import { Copy } from '../../parts/copy.tsx'
import { amount } from '../../parts/text.ts'
import { change, hrefOf, param } from '../../state/address.ts'
import { HistoryLanes } from './lanes.tsx'
import { MatrixTable } from './matrix.tsx'

const words = (outcome: string) => outcome.replaceAll('_', ' ')

/** The report. An outcome can be picked; the address remembers it. */
export function ReportCard({ report }: { readonly report: Report }) {
  const { title, outcome, totals, facts, results, matrix, moments } = report
  const picked = param('outcome')
  const shown = picked === '' ? results : results.filter((result) => result.outcome === picked)
  return (
    <section class="report" aria-label={title}>
      <p class="row">
        <strong class={`tag ${outcome}`}>{words(outcome)}</strong>
        {Object.entries(totals)
          .filter(([, number]) => number > 0)
          .map(([name, number]) => (
            <button
              key={name}
              type="button"
              class={`small ${name}`}
              aria-pressed={picked === name}
              onClick={() => change({ outcome: picked === name ? undefined : name })}
            >
              {amount(number)} {words(name)}
            </button>
          ))}
      </p>
      <p class="muted">{facts.join(' · ')}</p>
      {matrix && <MatrixTable matrix={matrix} />}
      {moments && <HistoryLanes moments={moments} />}
      <ul class="entries">
        {shown.map((result) => (
          <ResultEntry key={result.id} result={result} />
        ))}
      </ul>
    </section>
  )
}

function ResultEntry({ result }: { readonly result: Result }) {
  const { id, level, section, outcome, statement, texts, findings } = result
  return (
    <li class={`entry result was-${outcome}`}>
      <p>
        <span class={`tag ${outcome}`}>{words(outcome)}</span> <strong class="break">{id}</strong>{' '}
        <span class="muted">
          {level} {section}
        </span>
      </p>
      <p>{statement}</p>
      {texts.map(([what, text]) => (
        <p key={what}>
          <span class="muted">{what}:</span> <span class="break">{text}</span>
        </p>
      ))}
      {findings.map(({ text, evidence }, place) => (
        <div key={place} class="finding">
          {text !== '' && <p class="break">{text}</p>}
          <ul>
            {evidence.map((one, index) => (
              <EvidenceLine key={index} evidence={one} />
            ))}
          </ul>
        </div>
      ))}
    </li>
  )
}

function EvidenceLine({
  evidence: { line, request_id, caller, curl, more },
}: {
  readonly evidence: Evidence
}) {
  return (
    <li class={caller === 'other' ? 'lane-two' : undefined}>
      {caller && <span class="tag">{caller}</span>} <code class="break">{line}</code>{' '}
      {request_id && <a href={hrefOf('requests', { q: request_id })}>{request_id}</a>}
      {curl && <Copy what="curl" label="curl" text={curl} />}
      {more && (
        <details>
          <summary>Exchange</summary>
          <pre>{more}</pre>
        </details>
      )}
    </li>
  )
}
