/** Markdown: the common part is read, everything else stays text, and no text takes long. */
import { expect, test } from 'vitest'
import { attacks } from '#page/testing/attacks.ts'
import { type Inline, parseInline, parseMarkdown } from './markdown-tree.ts'

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

test.each(attacks)('%s leads nowhere but to the web', (attack) => {
  for (const link of linksOf(parseMarkdown(attack))) expect(link).toMatch(/^(https?:\/\/|mailto:)/)
})

test.each([
  '`',
  '*',
  '[',
  '**a',
  '> ',
  '- ',
  '~~a',
  '[a](',
  '_a_b',
  '| a ',
  '`a``b```c',
  '- a\n  ',
  '* a\n',
])('a long text of %j does not take long', (text) => {
  const start = process.cpuUsage()
  parseMarkdown(text.repeat(100_000 / text.length))
  // Time of the processor, ms: a busy machine does not change it.
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1_000).toBeLessThan(2_000)
})
