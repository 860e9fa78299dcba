/** One self-contained page: the verdict, every requirement, each exchange folded; filters work without a server. */
import { html } from '#reporting/xml.ts'
import { outcomes } from '../harness/outcome.ts'
import type { ReportedExchange } from './exchange.ts'
import { pageScript, pageStyle } from './html-assets.ts'
import { headline, type Report, type ReportedRequirement } from './report.ts'

export function renderHtml(report: Report): string {
  const { target, outcome } = report
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${html(`Conformance ${outcome}: ${target.base_url}`)}</title>
<style>${pageStyle}</style>
</head>
<body>
${header(report)}
${filters(report)}
<main>
${sorted(report.requirements).map(article).join('\n')}
<p class="empty" hidden>No requirement fits these filters.</p>
</main>
<footer>${html(`${report.suite.name} ${report.suite.version}, run ${report.run_id}`)}</footer>
<script>${pageScript}</script>
</body>
</html>
`
}

function header(report: Report): string {
  const { target, credits, outcome, totals, problems, left } = report
  const facts = {
    variant: target.variant,
    'extended routes': target.extended,
    requests: report.requests,
    'credits spent': `${credits.spent} of ${credits.limit}`,
    created: report.created.length,
    started: report.started_at,
    took: `${(report.duration_ms / 1_000).toFixed(1)} s`,
  }
  const notes = [
    ...problems,
    ...(left.length > 0 ? [`Keys that could not be deleted: ${left.join(', ')}`] : []),
  ]
  const parts = outcomes.filter((name) => totals[name] > 0)
  return `<header class="${outcome}">
<h1><b>${outcome}</b> <code>${html(target.base_url)}</code></h1>
<p class="headline">${html(headline(report))}</p>
<div class="bar" aria-hidden="true">${parts.map((name) => `<i class="${name}" style="flex-grow:${totals[name]}" title="${totals[name]} ${words(name)}"></i>`).join('')}</div>
${notes.map((note) => `<p class="note">${html(note)}</p>`).join('')}
<dl class="facts">${Object.entries(facts)
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${html(String(value))}</dd></div>`)
    .join('')}</dl>
</header>`
}

function filters({ totals, requirements }: Report): string {
  const told = outcomes.filter((name) => totals[name] > 0)
  const levels = ['MUST', 'SHOULD', 'MAY'].filter((level) => requirements.some((one) => one.level === level))
  const sections = [...new Set(requirements.flatMap(sectionsOf))].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  return `<nav aria-label="Filters">
<fieldset><legend>Outcome</legend>${told.map((name) => toggle('outcome', name, `${totals[name]} ${words(name)}`)).join('')}</fieldset>
<fieldset><legend>Level</legend>${levels.map((level) => toggle('level', level, level)).join('')}</fieldset>
<fieldset><legend>Section</legend><select id="section" aria-label="Section"><option value="">all</option>${sections.map((section) => `<option>${html(section)}</option>`).join('')}</select></fieldset>
<fieldset><legend>Search</legend><input id="search" type="search" aria-label="Search" placeholder="id or words ( / )"></fieldset>
<button id="reset" type="button">Show all</button>
<output id="shown" aria-live="polite"></output>
</nav>`
}

function toggle(name: string, value: string, label: string): string {
  return `<label class="${value}"><input type="checkbox" name="${name}" value="${value}" checked>${html(label)}</label>`
}

const order: readonly ReportedRequirement['outcome'][] = [
  'failed',
  'harness_error',
  'warned',
  'expected_failure',
  'not_exercised',
  'not_applicable',
  'passed',
]

/** What needs attention first, else as in the catalogue. */
function sorted(requirements: readonly ReportedRequirement[]): ReportedRequirement[] {
  return requirements.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
}

/** The parts of the specification that a requirement is from. */
const sectionsOf = ({ section }: ReportedRequirement) => section.split(/,\s*/)

function article(one: ReportedRequirement): string {
  const { id, outcome, level, how, expected, actual, reason, supply } = one
  const rows = Object.entries({ expected, actual, reason, supply }).flatMap(([name, text]) =>
    text === undefined ? [] : `<dt>${name}</dt><dd class="${name}">${html(text)}</dd>`,
  )
  return `<article class="${outcome}" id="${html(id)}" data-outcome="${outcome}" data-level="${level}" data-sections="${html(sectionsOf(one).join('|'))}">
<h2><a class="id" href="#${html(id)}">${html(id)}</a><span class="badge">${words(outcome)}</span><small>${level} · ${html(one.section)} · ${how}</small></h2>
<p>${html(one.statement)}</p>
${rows.length > 0 ? `<dl class="told">${rows.join('')}</dl>` : ''}${(one.evidence ?? []).map(exchange).join('')}
</article>`
}

function exchange({ request, response, curl, caller }: ReportedExchange): string {
  const path = URL.parse(request.url)?.pathname ?? request.url
  const sent = message(`${request.method} ${request.url}`, request.headers, request.body ?? '')
  const got = message(String(response.status), response.headers, pretty(response.body))
  return `<details><summary><b>${html(`${request.method} ${path} → ${response.status}`)}</b> ${callers[caller]}</summary>
<h3>Request</h3><pre>${html(sent)}</pre><h3>Answer</h3><pre>${html(got)}</pre><h3>Reproduce <button type="button" class="copy">copy</button></h3><pre class="curl">${html(curl)}</pre></details>`
}

const callers: Readonly<Record<ReportedExchange['caller'], string>> = {
  main: 'with the API key',
  other: 'with the key of the other organization',
  session: 'with the browser session',
  'created key': 'with a created key',
  stranger: 'with a credential that is not valid',
  nobody: 'without a credential',
}

function message(start: string, headers: Readonly<Record<string, string>>, body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [start, ...lines, '', body].join('\n').trimEnd()
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const words = (name: string) => name.replaceAll('_', ' ')
