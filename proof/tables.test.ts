import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { defects } from './defects/index.ts'
import { legalVariations } from './legal-variations/index.ts'
import { combinationSeeds, drawVariations, idsMatchingPatterns, requirementsWithoutDefect } from './matrix.ts'

const ids = [...defects, ...legalVariations].map(({ id }) => id)
const broken = defects.flatMap(({ breaks }) => breaks)
const warned = legalVariations.flatMap(({ warns = [] }) => warns)
const warnedIds = idsMatchingPatterns(warned).ids
const drawn = new Set(combinationSeeds.flatMap((seed) => drawVariations(legalVariations, seed)))

test.each<[string, readonly unknown[]]>([
  ['every MUST is broken by some defect', requirementsWithoutDefect('MUST')],
  ['every SHOULD is broken by some defect', requirementsWithoutDefect('SHOULD')],
  ['ids of defects and of variations are unique', ids.filter((id, i) => ids.indexOf(id) !== i)],
  [
    'defects and variations name only requirements of the catalogue',
    idsMatchingPatterns([...broken, ...warned]).unknown,
  ],
  ['every defect names a requirement', defects.filter(({ breaks }) => breaks.length === 0)],
  [
    'variations break no MUST requirement',
    catalogue.filter(({ id, level }) => warnedIds.has(id) && level === 'MUST'),
  ],
  [
    'every variation that needs no connection is drawn by some seed',
    legalVariations.filter((one) => !one.wire && !drawn.has(one)),
  ],
])('%s', (_, wrong) => {
  expect(wrong).toEqual([])
})

test('the same seed draws the same variations, another seed draws others', () => {
  const draw = (seed: string) => drawVariations(legalVariations, seed).map(({ id }) => id)
  expect(draw('1')).toEqual(draw('1'))
  expect(new Set(combinationSeeds.map((seed) => draw(seed).join())).size).toBe(combinationSeeds.length)
})

test('no two variations of a group are drawn together', () => {
  for (const seed of combinationSeeds) {
    const groups = drawVariations(legalVariations, seed).flatMap(({ group }) => group ?? [])
    expect(new Set(groups).size).toBe(groups.length)
  }
})

test('every variation is allowed by a rule or a heading of the specification, or by an RFC', () => {
  const page = readFileSync(new URL('../docs/specification.md', import.meta.url), 'utf8')
  const set = [...page.matchAll(/<a id="([^"]+)"/g)].map(([, anchor = '']) => anchor)
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^a-z0-9 ]/g, '')
      .replaceAll(' ', '-'),
  )
  const cited = legalVariations.map(({ allowed }) => allowed.match(/#[a-z0-9-]+|RFC \d+/g) ?? [])
  expect(cited.filter((one) => one.length === 0)).toEqual([])
  const anchors = cited.flat().filter((one) => one.startsWith('#'))
  expect(anchors.filter((one) => ![...set, ...headings].includes(one.slice(1)))).toEqual([])
})
