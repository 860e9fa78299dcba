/** One self-contained page: nothing is loaded from elsewhere, and no script runs. */
import { html } from '#reporting/xml.ts'
import type { Card, Verdict } from '../card.ts'
import { among, evidenceText, headline, marks, named, order } from './words.ts'

export function renderHtml(card: Card): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Client report card: ${named(card.outcome)}</title>
<style>${style}</style>
</head>
<body>
<header class="${card.outcome}">
<h1>Client report card: ${named(card.outcome)}</h1>
<p>${html(headline(card))}</p>
</header>
<main>
${order
  .flatMap((outcome) => among(card, outcome))
  .map(article)
  .join('\n')}
<table>
<caption>What was judged</caption>
<thead><tr><th scope="col">Run</th><th scope="col">Requests</th><th scope="col">End</th></tr></thead>
<tbody>${card.parts.map(partRow).join('')}</tbody>
</table>
</main>
</body>
</html>
`
}

function partRow({ id, requests, end }: Card['parts'][number]): string {
  return `<tr><th scope="row">${html(id)}</th><td>${requests}</td><td>${html(end ?? '')}</td></tr>`
}

function article(verdict: Verdict): string {
  const { id, level, section, statement, outcome, findings, more_findings, evidence } = verdict
  const advice = {
    passed: undefined,
    not_exercised: `Needs ${verdict.needs}.`,
    failed: verdict.mend,
    warned: verdict.mend,
  }[outcome]
  const found = findings.map(
    ({ part, what, evidence: shown }) => `<li>${html(`${part}: ${what}`)}${requests(shown)}</li>`,
  )
  const more = more_findings > 0 ? [`<li>and ${more_findings} more</li>`] : []
  return `<article class="${outcome}" id="${html(id)}">
<h2><span class="badge">${marks[outcome]} ${named(outcome)}</span> <code>${html(id)}</code> <small>${level} ${html(section)}</small></h2>
<p>${html(statement)}</p>
${found.length > 0 ? `<ul>${[...found, ...more].join('')}</ul>` : ''}
${evidence.length > 0 ? `<details><summary>Seen in</summary>${requests(evidence)}</details>` : ''}
${advice === undefined ? '' : `<p class="advice">${html(advice)}</p>`}
</article>`
}

function requests(evidence: Verdict['evidence']): string {
  return `<ol>${evidence.map((one) => `<li><code>${html(evidenceText(one))}</code> <time>${one.at}</time></li>`).join('')}</ol>`
}

const style = `
:root { color-scheme: light dark; --ok: #1a7f37; --bad: #cf222e; --warn: #9a6700; --idle: #6e7781; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
header, main { padding: 1rem max(1rem, calc((100vw - 60rem) / 2)); }
header { border-bottom: 6px solid var(--idle); }
header.passed { border-color: var(--ok); } header.failed { border-color: var(--bad); }
h1, h2 { margin: 0; } h2 { font-size: 1rem; }
article { border: 1px solid #8884; border-left: 4px solid var(--idle); border-radius: 6px; padding: .6rem .9rem; margin: .6rem 0; }
article p { margin: .25rem 0; } article.passed { border-left-color: var(--ok); } article.failed { border-left-color: var(--bad); } article.warned { border-left-color: var(--warn); }
.badge { font-size: .75rem; padding: 0 .5em; border-radius: 1em; color: #fff; background: var(--idle); }
.passed .badge { background: var(--ok); } .failed .badge { background: var(--bad); } .warned .badge { background: var(--warn); }
.advice { font-style: italic; } small, time { color: var(--idle); font-weight: normal; font-size: .8rem; }
code { overflow-wrap: anywhere; } ul, ol { margin: .25rem 0; padding-left: 1.5rem; }
table { border-collapse: collapse; margin-top: 1rem; } th, td { text-align: left; padding: .1rem .8rem .1rem 0; } caption { text-align: left; font-weight: bold; }
`
