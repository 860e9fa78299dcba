import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { defects } from './defects/index.ts'
import { variations } from './legal-variations/index.ts'
import { drawVariations, expand, seeds, unproven } from './matrix.ts'
import { renderProof } from './page.ts'

test('every MUST is broken by some defect', () => {
  expect(unproven(catalogue, defects, 'MUST')).toEqual([])
})

test('every SHOULD is broken by some defect', () => {
  expect(unproven(catalogue, defects, 'SHOULD')).toEqual([])
})

test('ids of defects and of variations are unique', () => {
  const ids = [...defects, ...variations].map(({ id }) => id)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
})

test('defects and variations name only requirements of the catalogue', () => {
  const named = [...defects.flatMap(({ breaks }) => breaks), ...variations.flatMap(({ warns = [] }) => warns)]
  expect(expand(named, catalogue).unknown).toEqual([])
})

test('every defect names a requirement', () => {
  expect(defects.filter(({ breaks }) => breaks.length === 0).map(({ id }) => id)).toEqual([])
})

test('variations break no MUST requirement', () => {
  const { ids } = expand(
    variations.flatMap(({ warns = [] }) => warns),
    catalogue,
  )
  expect(catalogue.filter(({ id, level }) => ids.has(id) && level === 'MUST')).toEqual([])
})

test('the same seed draws the same variations, another seed draws others', () => {
  const draw = (seed: string) => drawVariations(variations, seed).map(({ id }) => id)
  expect(draw('1')).toEqual(draw('1'))
  expect(new Set(seeds.map((seed) => draw(seed).join())).size).toBe(seeds.length)
})

test('no two variations of a group are drawn together', () => {
  for (const seed of seeds) {
    const groups = drawVariations(variations, seed).flatMap(({ group }) => group ?? [])
    expect(new Set(groups).size).toBe(groups.length)
  }
})

test('every variation that needs no connection is drawn by some seed', () => {
  const drawn = new Set(seeds.flatMap((seed) => drawVariations(variations, seed)))
  expect(variations.filter((one) => !one.wire && !drawn.has(one)).map(({ id }) => id)).toEqual([])
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
  const cited = variations.map(({ allowed }) => allowed.match(/#[a-z0-9-]+|RFC \d+/g) ?? [])
  expect(cited.filter((one) => one.length === 0)).toEqual([])
  const anchors = cited.flat().filter((one) => one.startsWith('#'))
  expect(anchors.filter((one) => ![...set, ...headings].includes(one.slice(1)))).toEqual([])
})

test('PROOF.md is the page of the present tables', () => {
  const page = readFileSync(new URL('./PROOF.md', import.meta.url), 'utf8')
  expect(page === renderProof({ catalogue, defects, variations, seeds }), 'run npm run proof').toBe(true)
})
