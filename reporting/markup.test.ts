/** Untrusted text stays text in every format. */
import { expect, test } from 'vitest'
import { attacks } from '#page/testing/attacks.ts'
import { type Inline, parseInline, parseMarkdown } from './markdown-tree.ts'
import { fence, html, oneLine, printable, printableJson, prose, xml, xmlAttribute } from './markup.ts'

test('markup in a text is escaped in HTML and XML', () => {
  for (const write of [html, xml, xmlAttribute])
    expect(write(`<a b="c" d='e'>&amp;`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;')
})

test.each([
  [
    'XML omits the characters that it forbids',
    xml('a\u0000b\ud800\ufffed\u{1f600}\n'),
    'ab\ufffdd\u{1f600}\n',
  ],
  ['a line break in an attribute is kept', xmlAttribute('a\r\n\tb'), 'a&#13;&#10;&#9;b'],
  [
    'Markdown prose begins no link, no tag, no cell and no line',
    prose('[a](b) <i> *c* | d\n# e'),
    '\\[a\\](b) &lt;i> \\*c\\* \\| d\\\\n# e',
  ],
  ['a fence is longer than any fence inside', fence('````'), '`````text\n````\n`````'],
  [
    'control characters are spelled out in one line',
    oneLine('a\n\u001b[31m\u2028\u009f'),
    'a\\n\\u001b[31m\\u2028\\u009f',
  ],
])('%s', (_, written, expected) => {
  expect(written).toBe(expected)
})

test.each([
  ['a direction', 'pay \u202e001 \u2066now', 'pay \\u202e001 \\u2066now'],
  ['nothing to see', 'a\u200bb\ufeffc\u00add', 'a\\u200bb\\ufeffc\\u00add'],
  ['a tag', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
  ['a terminal sequence', '\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
])('%s is spelled in every format', (_, text, spelled) => {
  for (const write of [oneLine, printable, fence, html, prose])
    expect(write(text)).toContain(write === prose ? spelled.replaceAll(/[\\\]]/g, '\\$&') : spelled)
  expect(printableJson({ text })).not.toContain(text)
  expect(JSON.parse(printableJson({ text }))).toEqual({ text })
})

test('lines, emoji and letters that join stay as they are', () => {
  const text = 'one\r\n\ttwo \u{1f468}\u200d\u{1f469} \u0646\u200c\u0647'
  expect(printable(text)).toBe(text)
})

test('it reads headings, paragraphs, lists, quotes, code, tables and rules', () => {
  const text =
    '# A\n\nb\nc\n\n- d\n- e\n  - f\n\n1. g\n\n> h\n\n```\n<i>\n```\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n---'
  expect(parseMarkdown(text)).toMatchObject([
    { tag: 'h3', children: ['A'] },
    { tag: 'p', children: ['b\nc'] },
    {
      tag: 'ul',
      children: [
        { tag: 'li', children: [{ tag: 'p' }] },
        { tag: 'li', children: [{ children: ['e'] }, { tag: 'ul' }] },
      ],
    },
    { tag: 'ol' },
    { tag: 'blockquote', children: [{ children: ['h'] }] },
    { tag: 'pre', children: ['<i>'] },
    {
      tag: 'table',
      children: [
        {
          tag: 'tbody',
          children: [
            { tag: 'tr', children: [{ tag: 'th', children: ['x'] }, { children: ['y'] }] },
            { tag: 'tr', children: [{ tag: 'td', children: ['1'] }, { children: ['2'] }] },
          ],
        },
      ],
    },
    { tag: 'hr', children: [] },
  ])
})

test.each<[string, Inline[]]>([
  ['a **b** c', ['a ', { tag: 'strong', children: ['b'] }, ' c']],
  ['_a_ and *b*', [{ tag: 'em', children: ['a'] }, ' and ', { tag: 'em', children: ['b'] }]],
  ['snake_case_name', ['snake_case_name']],
  ['2 * 3 * 4', ['2 * 3 * 4']],
  ['`**a**`', [{ tag: 'code', children: ['**a**'] }]],
  ['~~a~~', [{ tag: 'del', children: ['a'] }]],
  ['[a](https://b)', [{ tag: 'a', href: 'https://b', children: ['a'] }]],
  ['[a](ftp://b)', ['[a](ftp://b)']],
])('it reads %s', (text, expected) => {
  expect(parseInline(text)).toEqual(expected)
})

/** Returns every target of a link. */
function linksOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linksOf)
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(linksOf)
  return 'href' in value ? [String(value.href), ...inner] : inner
}

test('no link of an attack leads anywhere but to the web', () => {
  const links = attacks.flatMap((attack) => linksOf(parseMarkdown(attack)))
  expect(links.filter((link) => !/^(https?:\/\/|mailto:)/.test(link))).toEqual([])
})
