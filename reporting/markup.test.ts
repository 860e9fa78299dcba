/** Untrusted text stays text in every format. */
import { expect, test } from 'vitest'
import { fence, prose } from './markdown.ts'
import { oneLine, printable, printableJson } from './one-line.ts'
import { html, xml, xmlAttribute } from './xml.ts'

test('markup in a text is escaped in HTML and XML', () => {
  for (const write of [html, xml, xmlAttribute])
    expect(write(`<a b="c" d='e'>&amp;`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;')
})

test('XML omits the characters that it forbids', () => {
  expect(xml('a\u0000b\ud800c\ufffed\u{1f600}\n')).toBe('abcd\u{1f600}\n'.replace('c', '\ufffdc'))
})

test('a line break in an attribute is kept', () => {
  expect(xmlAttribute('a\r\n\tb')).toBe('a&#13;&#10;&#9;b')
})

test('Markdown prose begins no link, no tag, no cell and no line', () => {
  expect(prose('[a](b) <i> *c* | d\n# e')).toBe('\\[a\\](b) &lt;i> \\*c\\* \\| d\\\\n# e')
})

test('a fence is longer than any fence inside', () => {
  expect(fence('````')).toBe('`````text\n````\n`````')
})

test('control characters are spelled out in one line', () => {
  expect(oneLine('a\n\u001b[31m\u2028\u009f')).toBe('a\\n\\u001b[31m\\u2028\\u009f')
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
