/** Renders a report as one self-contained page: failures first, exchanges folded, filters that need no server. */
import { parseJson } from '#traffic/json-bounds.ts'
import { escapeHtml } from '../markup.ts'
import { matrixScript, matrixStyle, renderMatrixHtml } from '../matrix.ts'
import { compareByUrgency, outcomeCountsOf, outcomes, outcomeWordsOf } from '../outcome.ts'
import {
  type Evidence,
  type EvidenceExchange,
  outcomeText,
  passWarningTextOf,
  type Report,
  type ReportResult,
  titleNamingFailedParty,
  totalsText,
} from '../report.ts'
import { pageScript, pageStyle } from './page.ts'

/** Renders a report as HTML. */
export function renderHtml(report: Report): string {
  const { subject, results, matrix } = report
  const heading = `${titleNamingFailedParty(report)} ${outcomeText(report)}${subject === undefined ? '' : `: ${subject}`}`
  const body = `${header(report)}${matrix ? `\n${renderMatrixHtml(matrix)}` : ''}
${filters(report)}
<main>
${results.toSorted(compareByUrgency).map(article).join('\n')}
<p class="empty" hidden>No result fits these filters.</p>
</main>`
  return htmlDocumentOf(heading, matrix ? matrixStyle : '', body, pageScript + (matrix ? matrixScript : ''))
}

/** A self-contained HTML document. */
export function htmlDocumentOf(title: string, style: string, body: string, script?: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${pageStyle}${style}</style>
</head>
<body>
${body}${script === undefined ? '' : `\n<script>${script}</script>`}
</body>
</html>
`
}

function header(report: Report): string {
  const { outcome, subject, lead, notes, facts, results } = report
  const totals = outcomeCountsOf(results)
  const bars = outcomes.flatMap((name) => {
    const total = totals[name]
    return total > 0
      ? `<i class="${name}" style="flex-grow:${total}" title="${total} ${outcomeWordsOf(name)}"></i>`
      : []
  })
  const shown = Object.entries(facts).map(
    ([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`,
  )
  return `<header class="${passWarningTextOf(report) === '' ? escapeHtml(outcome) : 'warned'}">
<h1>${escapeHtml(titleNamingFailedParty(report))} <b>${escapeHtml(outcomeText(report))}</b>${subject === undefined ? '' : ` <code>${escapeHtml(subject)}</code>`}</h1>
${lead.map((one) => `<p class="note"><b>${escapeHtml(one)}</b></p>`).join('')}<p class="headline">${escapeHtml(totalsText(report))}</p>
<div class="bar" aria-hidden="true">${bars.join('')}</div>
${notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`).join('')}
${shown.length > 0 ? `<dl class="facts">${shown.join('')}</dl>` : ''}${partTable(report)}
</header>`
}

function partTable({ parts }: Report): string {
  if (parts.length === 0) return ''
  const rows = parts.map(
    ({ id, requests, end }) =>
      `<tr><th scope="row">${escapeHtml(id)}</th><td>${requests}</td><td>${escapeHtml(end ?? '')}</td></tr>`,
  )
  return `<details><summary>What was judged</summary><table>
<thead><tr><th scope="col">Run</th><th scope="col">Requests</th><th scope="col">End</th></tr></thead>
<tbody>${rows.join('')}</tbody>
</table></details>`
}

function filters({ results }: Report): string {
  const totals = outcomeCountsOf(results)
  const present = outcomes.filter((name) => totals[name] > 0)
  const levels = ['MUST', 'SHOULD', 'MAY'].filter((level) => results.some((one) => one.level === level))
  const sections = [...new Set(results.flatMap(sectionsOf))].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  return `<nav aria-label="Filters">
<fieldset><legend>Outcome</legend>${present.map((name) => toggle('outcome', name, `${totals[name]} ${outcomeWordsOf(name)}`)).join('')}</fieldset>
<fieldset><legend>Level</legend>${levels.map((level) => toggle('level', level, level)).join('')}</fieldset>
<fieldset><legend>Section</legend><select id="section" aria-label="Section"><option value="">all</option>${sections.map((section) => `<option>${escapeHtml(section)}</option>`).join('')}</select></fieldset>
<fieldset><legend>Search</legend><input id="search" type="search" aria-label="Search" placeholder="id or words ( / )"></fieldset>
<button id="reset" type="button">Show all</button>
<output id="shown" aria-live="polite"></output>
</nav>`
}

function toggle(name: string, value: string, label: string): string {
  return `<label class="${value}"><input type="checkbox" name="${name}" value="${value}" checked>${escapeHtml(label)}</label>`
}

/** The parts of the specification that a result refers to. */
const sectionsOf = ({ section }: ReportResult) => section.split(/,\s*/)

function article(result: ReportResult): string {
  const { id, outcome, level, section, how, findings, evidence, kept } = result
  const { expected, actual, reason, supply, fix } = result
  const rows = Object.entries({ expected, actual, reason, supply, 'how to fix': fix }).flatMap(
    ([name, text]) =>
      text === undefined
        ? []
        : `<dt>${name}</dt><dd class="${name.replaceAll(' ', '-')}">${escapeHtml(text)}</dd>`,
  )
  const found = findings.map((one) => `<li>${escapeHtml(one.text)}${one.evidence.map(request).join('')}</li>`)
  const label = [level, section, how].filter((text) => text !== undefined).join(' · ')
  return `<article class="${escapeHtml(outcome)}" id="${escapeHtml(id)}" data-outcome="${escapeHtml(outcome)}" data-level="${escapeHtml(level)}" data-sections="${escapeHtml(sectionsOf(result).join('|'))}">
<h2><a class="id" href="#${escapeHtml(id)}">${escapeHtml(id)}</a><span class="badge">${escapeHtml(outcomeWordsOf(outcome))}</span><small>${escapeHtml(label)}</small></h2>
<p>${escapeHtml(result.statement)}</p>
${found.length > 0 ? `<ul>${found.join('')}</ul>` : ''}${rows.length > 0 ? `<dl class="rows">${rows.join('')}</dl>` : ''}${evidence.map(request).join('')}
${kept.length > 0 ? `<details><summary>Kept in</summary>${kept.map(request).join('')}</details>` : ''}</article>`
}

/** A request in one line, which opens to the whole exchange where there is one to show. */
function request(evidence: Evidence): string {
  const { summary, note, request_id, exchange } = evidence
  const { place, arranged = [], headers = [], wait, together, atOnce } = evidence
  const id =
    request_id === undefined ? '' : ` data-request="${escapeHtml(request_id)}" data-at="${escapeHtml(note)}"`
  if (!exchange) return `<p class="request"><code${id}>${escapeHtml(summary)}</code> ${escapeHtml(note)}</p>`
  const { request: sent, response, curl } = exchange
  const question = message(`${sent.method} ${sent.url}`, sent.headers, sent.body ?? '')
  const answer = message(String(response.status), response.headers, indented(response.body))
  const states = arranged.map((state) => `<p class="request">State ${escapeHtml(state)}</p>`).join('')
  const remarks = [
    ...(place === undefined ? [] : [place]),
    note,
    ...headers,
    ...(wait === undefined ? [] : [`sent ${wait}`]),
    ...(together ? [`${together.at + 1} of ${together.of} sent at once`] : []),
  ]
  const all =
    atOnce === undefined
      ? ''
      : `<h3>All at once <button type="button" class="copy">copy</button></h3><pre class="curl">${escapeHtml(atOnce)}</pre>`
  return `<details><summary><b>${escapeHtml(summary)}</b> ${escapeHtml(remarks.join('; '))}</summary>
${states}<h3>Request</h3><pre>${escapeHtml(question)}</pre><h3>Answer</h3><pre>${escapeHtml(answer)}</pre><h3>Reproduce <button type="button" class="copy">copy</button></h3><pre class="curl">${escapeHtml(curl)}</pre>${all}</details>`
}

function message(start: string, headers: EvidenceExchange['request']['headers'], body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [start, ...lines, '', body].join('\n').trimEnd()
}

const indented = (body: string): string => JSON.stringify(parseJson(body), null, 2) ?? body
