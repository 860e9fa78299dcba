/** One self-contained page: the verdict, every requirement, each exchange folded; filters work without a server. */

import { outcomes } from '../outcome.ts'
import { pageScript, pageStyle } from './html-assets.ts'
import { headline, type Report, type ReportedExchange, type ReportedRequirement } from './report.ts'

export function renderHtml(report: Report): string {
  const { target, credits, suite } = report
  const title = `Conformance of ${target.base_url}: ${report.outcome}`
  const areas = [...new Set(report.requirements.map(areaOf))]
  const facts = {
    variant: target.variant,
    'extended routes': target.extended,
    requests: report.requests,
    'credits spent': `${credits.spent} of ${credits.limit}`,
    started: report.started_at,
    took: `${(report.duration_ms / 1_000).toFixed(1)} s`,
    run: report.run_id,
    suite: `${suite.name} ${suite.version}`,
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header class="${report.outcome}">
<h1>${html(report.outcome)}</h1>
<p><code>${html(target.base_url)}</code></p>
<p class="headline">${html(headline(report))}</p>
${report.problems.map((problem) => `<p class="problem">${html(problem)}</p>`).join('')}
<dl>${Object.entries(facts)
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${html(String(value))}</dd></div>`)
    .join('')}</dl>
</header>
<nav aria-label="Filters">
<fieldset><legend>Outcome</legend>${outcomes
    .filter((name) => report.totals[name] > 0)
    .map((name) => toggle('outcome', name, `${name.replaceAll('_', ' ')} ${report.totals[name]}`))
    .join('')}</fieldset>
<fieldset><legend>Level</legend>${['MUST', 'SHOULD', 'MAY']
    .filter((level) => report.requirements.some((one) => one.level === level))
    .map((level) => toggle('level', level, level))
    .join('')}</fieldset>
<fieldset><legend>Section</legend><select id="area"><option value="">all</option>${areas.map((area) => `<option>${html(area)}</option>`).join('')}</select></fieldset>
<fieldset><legend>Search</legend><input id="search" type="search" placeholder="id or words"></fieldset>
<p><output id="shown"></output></p>
</nav>
<main>${sorted(report.requirements).map(article).join('\n')}</main>
<script>${pageScript}</script>
</body>
</html>
`
}

const order: readonly ReportedRequirement['outcome'][] = [
  'failed',
  'harness_error',
  'warned',
  'not_exercised',
  'expected_failure',
  'not_applicable',
  'passed',
]

/** What needs attention first, else as in the catalogue. */
function sorted(requirements: readonly ReportedRequirement[]): ReportedRequirement[] {
  return requirements.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
}

function areaOf({ id }: ReportedRequirement): string {
  return id.split('-')[0] ?? id
}

function toggle(name: string, value: string, label: string): string {
  return `<label class="${value}"><input type="checkbox" name="${name}" value="${value}" checked> ${html(label)}</label>`
}

function article(one: ReportedRequirement): string {
  const told = { Expected: one.expected, Actual: one.actual, Reason: one.reason, Supply: one.supply }
  const rows = Object.entries(told).filter(([, text]) => text !== undefined)
  return `<article class="${one.outcome}" data-outcome="${one.outcome}" data-level="${one.level}" data-area="${html(areaOf(one))}">
<h2><span class="badge">${one.outcome.replaceAll('_', ' ')}</span> <code>${html(one.id)}</code> <small>${one.level} ${html(one.section)} · ${one.how}</small></h2>
<p>${html(one.statement)}</p>
${rows.length > 0 ? `<dl>${rows.map(([name, text]) => `<div><dt>${name}</dt><dd>${html(text ?? '')}</dd></div>`).join('')}</dl>` : ''}
${(one.evidence ?? []).map(exchange).join('')}
</article>`
}

function exchange({ request, response, curl, caller }: ReportedExchange): string {
  const head = (headers: Record<string, string>) =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')
  const sent = [`${request.method} ${request.url}`, head(request.headers), '', request.body ?? '']
    .join('\n')
    .trimEnd()
  const got = [String(response.status), head(response.headers), '', pretty(response.body)]
    .join('\n')
    .trimEnd()
  return `<details><summary>${html(request.method)} ${html(URL.parse(request.url)?.pathname ?? request.url)} → ${response.status} <small>as ${html(caller)}</small></summary>
<h3>Request</h3><pre>${html(sent)}</pre><h3>Answer</h3><pre>${html(got)}</pre><h3>Reproduce</h3><pre class="curl">${html(curl)}</pre></details>`
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function html(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
