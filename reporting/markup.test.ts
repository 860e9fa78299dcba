/** Untrusted text stays text in every format. */
import { expect, test } from 'vitest'
import { fence, prose } from './markdown.ts'
import { oneLine } from './one-line.ts'
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
