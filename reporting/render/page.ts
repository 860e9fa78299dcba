/** Style and script of the HTML report. The page loads nothing from elsewhere. */

/** The style sheet of the HTML report. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --ok: light-dark(#1a7f37, #3fb950); --bad: light-dark(#cf222e, #f85149); --warn: light-dark(#9a6700, #d29922); --doubt: light-dark(#bc4c00, #f0883e);
  --idle: light-dark(#59636e, #9198a1); --line: light-dark(#d1d9e0, #3d444d); --soft: light-dark(#f6f8fa, #151b23);
  --page: light-dark(#ffffff, #0d1117); --ink: light-dark(#1f2328, #f0f6fc); --tone: var(--idle);
}
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; background: var(--page); color: var(--ink); }
header, nav, main { padding: 1.25rem max(1.25rem, calc((100vw - 68rem) / 2)); }
code, pre, .id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .92em; }
.passed { --tone: var(--ok); } .failed, .harness_error { --tone: var(--bad); } .suspected { --tone: var(--doubt); } .warned, .incomplete, .inconclusive { --tone: var(--warn); } .not_applicable, .not_exercised, .expected_failure { --tone: var(--idle); } header.not_exercised { --tone: var(--warn); }

header { border-top: 6px solid var(--tone); padding-bottom: 1rem; }
h1 { margin: 0 0 .25rem; font-size: 1.7rem; line-height: 1.25; overflow-wrap: anywhere; }
h1 b { color: var(--tone); } h1 code { font-weight: 500; font-size: .8em; }
.headline { margin: .25rem 0 .75rem; font-size: 1.05rem; }
.bar { display: flex; gap: 2px; height: .6rem; margin: 0 0 1rem; border-radius: .3rem; overflow: hidden; }
.bar i { flex-basis: 0; min-width: 3px; background: var(--tone); } .bar .not_applicable, .bar .not_exercised { opacity: .45; }
.note { margin: .5rem 0; padding: .5rem .8rem; border-left: 4px solid var(--tone); background: var(--soft); border-radius: 4px; }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: 0; } dt { font-size: .75rem; color: var(--idle); } dd { margin: 0; overflow-wrap: anywhere; }

nav { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; padding: .5rem 1.25rem; font-size: .85rem; background: var(--page); border-block: 1px solid var(--line); }
fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .3rem; } legend { position: absolute; clip-path: inset(50%); }
nav label { display: inline-flex; gap: .35rem; align-items: center; padding: .1rem .6rem; border: 1px solid var(--line); border-radius: 1rem; cursor: pointer; white-space: nowrap; }
nav label:has(:checked) { border-color: var(--tone); color: var(--tone); } nav label:not(:has(:checked)) { opacity: .6; text-decoration: line-through; }
nav label:focus-within { outline: 2px solid var(--tone); outline-offset: 1px; } nav label input { position: absolute; opacity: 0; pointer-events: none; }
select, input[type=search], button { font: inherit; padding: .15rem .6rem; color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; }
input[type=search] { width: 9rem; } nav button, output { white-space: nowrap; } button { cursor: pointer; } output { color: var(--idle); }

main { padding-top: .5rem; }
article { margin: .7rem 0; padding: .7rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--tone); border-radius: 8px; scroll-margin-top: 8rem; }
article:target { box-shadow: 0 0 0 2px var(--tone); } article p { margin: .2rem 0 0; }
article.passed, article.not_applicable { padding-block: .35rem; margin-block: .35rem; }
h2 { display: flex; flex-wrap: wrap; gap: .15rem .7rem; align-items: baseline; margin: 0; font-size: 1rem; } h2 a { color: inherit; text-decoration: none; } h2 a:hover { text-decoration: underline; }
.badge { font-size: .75rem; font-weight: 600; color: var(--tone); border: 1px solid var(--tone); border-radius: 1em; padding: 0 .6em; }
h2 small { margin-left: auto; color: var(--idle); font-weight: 400; }
.rows { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0 0; } .rows dt { font-size: .85rem; line-height: 1.75; }
.rows .expected { color: var(--ok); } .rows .actual { color: var(--bad); }
details { margin-top: .5rem; } summary { cursor: pointer; color: var(--idle); overflow-wrap: anywhere; } summary b { color: var(--ink); font-weight: 500; }
h3 { display: flex; justify-content: space-between; margin: .6rem 0 .2rem; font-size: .75rem; font-weight: 600; color: var(--idle); }
pre { margin: 0; padding: .6rem .8rem; max-height: 24rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); border-radius: 6px; }
h3 button { font-size: .7rem; padding: 0 .5rem; } .empty { color: var(--idle); }
table { border-collapse: collapse; margin-top: .5rem; } th, td { text-align: left; font-weight: 400; padding: .1rem 1rem .1rem 0; overflow-wrap: anywhere; } thead th { font-size: .75rem; color: var(--idle); }
ul { margin: .4rem 0 0; padding-left: 1.3rem; } .request { color: var(--idle); font-size: .9rem; } .request code { color: var(--ink); overflow-wrap: anywhere; }
[hidden] { display: none; }
@media (min-width: 60rem) { nav, fieldset { flex-wrap: nowrap; } nav { overflow-x: auto; scrollbar-width: thin; } }
@media (max-width: 44rem) { nav { position: static; } h2 small { margin-left: 0; } }
@media print { nav, h3 button { display: none; } article { break-inside: avoid; } }
`

/** The script of the HTML report: filters and search. */
export const pageScript = `
const articles = [...document.querySelectorAll('article')];
const boxes = [...document.querySelectorAll('nav input[type=checkbox]')];
const section = document.getElementById('section');
const search = document.getElementById('search');
const texts = new Map(articles.map((article) => [article, article.textContent.toLowerCase()]));
function filter() {
  const on = (name) => new Set(boxes.filter((box) => box.name === name && box.checked).map((box) => box.value));
  const outcomes = on('outcome'), levels = on('level'), words = search.value.toLowerCase().split(/\\s+/);
  let count = 0;
  for (const article of articles) {
    const { outcome, level, sections } = article.dataset;
    const fits = outcomes.has(outcome) && levels.has(level)
      && (!section.value || sections.split('|').includes(section.value))
      && words.every((word) => texts.get(article).includes(word));
    article.hidden = !fits;
    if (fits) count++;
  }
  document.getElementById('shown').value = count + ' of ' + articles.length + ' shown';
  document.querySelector('.empty').hidden = count > 0;
}
document.querySelector('nav').addEventListener('input', filter);
document.getElementById('reset').addEventListener('click', () => {
  for (const box of boxes) box.checked = true;
  section.value = search.value = '';
  filter();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, select')) return;
  event.preventDefault();
  search.focus();
});
document.addEventListener('click', async ({ target }) => {
  if (!target.matches('.copy')) return;
  await navigator.clipboard.writeText(target.parentElement.nextElementSibling.textContent);
  target.textContent = 'copied';
});
filter();
`
