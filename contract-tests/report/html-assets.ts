/** Style and script of the HTML report; nothing is loaded from elsewhere. */

export const pageStyle = `
:root { color-scheme: light dark; --ok: #1a7f37; --bad: #cf222e; --warn: #9a6700; --idle: #6e7781; --line: #8884; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
header, nav, main { padding: 1rem max(1rem, calc((100vw - 70rem) / 2)); }
header { border-bottom: 6px solid var(--idle); }
header.passed { border-color: var(--ok); } header.failed { border-color: var(--bad); } header.incomplete { border-color: var(--warn); }
h1 { margin: 0; text-transform: capitalize; } h2 { margin: 0; font-size: 1rem; } h3 { margin: .5rem 0 0; font-size: .8rem; }
.headline { font-size: 1.15rem; } .problem { color: var(--bad); }
dl { margin: .5rem 0; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; } dt { font-size: .75rem; color: var(--idle); } dd { margin: 0; overflow-wrap: anywhere; }
article dl { display: block; }
nav { position: sticky; top: 0; background: Canvas; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; z-index: 1; }
nav p { margin: 0; } fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .25rem .75rem; } legend { font-size: .75rem; color: var(--idle); padding: 0; }
article { border: 1px solid var(--line); border-left: 4px solid var(--idle); border-radius: 6px; padding: .6rem .9rem; margin: .6rem 0; } article p { margin: .25rem 0; }
article.passed { border-left-color: var(--ok); } article.failed, article.harness_error { border-left-color: var(--bad); } article.warned { border-left-color: var(--warn); }
.badge { font-size: .75rem; padding: 0 .5em; border-radius: 1em; color: #fff; background: var(--idle); }
.passed .badge { background: var(--ok); } .failed .badge, .harness_error .badge { background: var(--bad); } .warned .badge { background: var(--warn); }
small { color: var(--idle); font-weight: normal; } pre { overflow: auto; max-height: 24rem; padding: .6rem; background: #8881; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
[hidden] { display: none; }
`

export const pageScript = `
const articles = [...document.querySelectorAll('article')];
const boxes = [...document.querySelectorAll('nav input[type=checkbox]')];
const area = document.getElementById('area');
const search = document.getElementById('search');
const shown = document.getElementById('shown');
function filter() {
  const on = (name) => new Set(boxes.filter((box) => box.name === name && box.checked).map((box) => box.value));
  const outcomes = on('outcome'), levels = on('level'), words = search.value.toLowerCase();
  let count = 0;
  for (const article of articles) {
    const { outcome, level, area: section } = article.dataset;
    const fits = outcomes.has(outcome) && levels.has(level) && (!area.value || area.value === section) && (!words || article.textContent.toLowerCase().includes(words));
    article.hidden = !fits;
    if (fits) count++;
  }
  shown.value = count + ' of ' + articles.length + ' shown';
}
document.querySelector('nav').addEventListener('input', filter);
filter();
`
