/** The Markdown report keeps its structure, whatever a service answers. */
import { expect, test } from 'vitest'
import { nasty, presentedSample } from '#contract-tests/report/testing/sample.ts'
import { renderMarkdown } from './markdown.ts'

const markdown = renderMarkdown(presentedSample())

/** The lines outside code blocks, read as CommonMark reads fences. */
function prose(text: string): string[] {
  let fence: string | undefined
  return text.split('\n').filter((line) => {
    const [mark] = /^`{3,}/.exec(line) ?? []
    if (fence === undefined) {
      fence = mark
      return mark === undefined
    }
    if (mark !== undefined && mark.length >= fence.length && line.trim() === mark) fence = undefined
    return false
  })
}

test('fences survive backticks: what a service answers stays in its block', () => {
  expect(nasty).toContain('````')
  expect(prose(markdown).filter((line) => line.includes('Expected  '))).toEqual([])
  expect(prose(markdown).at(-2)).toBe('</details>')
})

test('no tag, control character or workflow command of a service begins outside a block', () => {
  const lines = prose(markdown)
  expect(lines.filter((line) => /<(?!\/?(?:details|summary)>)/.test(line))).toEqual([])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(markdown).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  expect(markdown).not.toMatch(/^::/m)
})

test('each row of a table has as many cells as its head', () => {
  const rows = prose(markdown).filter((line) => line.startsWith('|'))
  expect(rows.length).toBeGreaterThan(8)
  const cells = (row: string) => row.replace(/\\./g, '').split('|').length
  const heads = new Set(rows.map(cells))
  expect([...heads].sort()).toEqual([4, 6])
})

test('it begins with the outcome and the denominator, and names every requirement', () => {
  const [title, , headline] = markdown.split('\n')
  expect(title).toBe('# ❌ Conformance: failed')
  expect(headline).toBe(
    '1 passed, 1 failed, 1 warned, 1 not applicable, 1 not exercised, 1 expected failure, 1 harness error, of 7',
  )
  for (const { id } of presentedSample().results) expect(markdown).toContain(id)
})
