/** Untrusted text stays text in every format. */
import { expect, test } from 'vitest'
import {
  escapeHtml,
  escapeMarkdown,
  escapeXml,
  escapeXmlAttribute,
  fencedCode,
  printable,
  printableJson,
  printableLine,
} from './markup.ts'

test('markup in a text is escaped in HTML and XML', () => {
  for (const write of [escapeHtml, escapeXml, escapeXmlAttribute])
    expect(write(`<a b="c" d='e'>&amp;`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;')
})

test.each([
  [
    'XML omits the characters that it forbids',
    escapeXml('a\u0000b\ud800\ufffed\u{1f600}\n'),
    'ab\ufffdd\u{1f600}\n',
  ],
  ['a line break in an attribute is kept', escapeXmlAttribute('a\r\n\tb'), 'a&#13;&#10;&#9;b'],
  [
    'Markdown prose begins no link, no tag, no cell and no line',
    escapeMarkdown('[a](b) <i> *c* | d\n# e'),
    '\\[a\\](b) &lt;i> \\*c\\* \\| d\\\\n# e',
  ],
  ['a fence is longer than any fence inside', fencedCode('````'), '`````text\n````\n`````'],
  [
    'control characters are spelled out in one line',
    printableLine('a\n\u001b[31m\u2028\u009f'),
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
  for (const write of [printableLine, printable, fencedCode, escapeHtml, escapeMarkdown])
    expect(write(text)).toContain(write === escapeMarkdown ? spelled.replaceAll(/[\\\]]/g, '\\$&') : spelled)
  expect(printableJson({ text })).not.toContain(text)
  expect(JSON.parse(printableJson({ text }))).toEqual({ text })
})

test('lines, emoji and letters that join stay as they are', () => {
  const text = 'one\r\n\ttwo \u{1f468}\u200d\u{1f469} \u0646\u200c\u0647'
  expect(printable(text)).toBe(text)
})
