/** Markdown: the common part is read, everything else stays text, and no text takes long. */
import { expect, test } from 'vitest'
import { attacks } from '../testing/attacks.ts'
import { type Block, type Inline, parseInline, parseMarkdown } from './parse.ts'

test('it reads headings, paragraphs, lists, quotes, code, tables and rules', () => {
  const text =
    '# A\n\nb\nc\n\n- d\n- e\n  - f\n\n1. g\n\n> h\n\n```\n<i>\n```\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n---'
  expect(parseMarkdown(text)).toMatchObject([
    { kind: 'heading', level: 1, children: ['A'] },
    { kind: 'paragraph', children: ['b\nc'] },
    {
      kind: 'list',
      ordered: false,
      items: [[{ kind: 'paragraph' }], [{ children: ['e'] }, { kind: 'list' }]],
    },
    { kind: 'list', ordered: true },
    { kind: 'quote', blocks: [{ children: ['h'] }] },
    { kind: 'code', text: '<i>' },
    {
      kind: 'table',
      rows: [
        [['x'], ['y']],
        [['1'], ['2']],
      ],
    },
    { kind: 'rule' },
  ])
})

test.each<[string, Inline[]]>([
  ['a **b** c', ['a ', { kind: 'strong', children: ['b'] }, ' c']],
  ['_a_ and *b*', [{ kind: 'em', children: ['a'] }, ' and ', { kind: 'em', children: ['b'] }]],
  ['snake_case_name', ['snake_case_name']],
  ['2 * 3 * 4', ['2 * 3 * 4']],
  ['`**a**`', [{ kind: 'code', children: ['**a**'] }]],
  ['~~a~~', [{ kind: 'del', children: ['a'] }]],
  ['[a](https://b)', [{ kind: 'link', href: 'https://b', children: ['a'] }]],
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
  const blocks: Block[] = parseMarkdown(attack)
  for (const link of linksOf(blocks)) expect(link).toMatch(/^(https?:\/\/|mailto:)/)
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
  const start = performance.now()
  parseMarkdown(text.repeat(100_000 / text.length))
  expect(performance.now() - start).toBeLessThan(2_000)
})
