/** The catalogue is well formed, pinned, and traced to the specification rule by rule. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isOperationId, operationIds, routeOf } from '#contract/operation.ts'
import { states } from '#mocks/control/provider-states.ts'
import { isProbe } from '../harness/requirement.ts'
import { fits } from '../runner/selection.ts'
import { mapping } from '../traceability/mapping.ts'
import { anchorsOf, readRules, trace } from '../traceability/trace.ts'
import { catalogue } from './index.ts'

const ids = catalogue.map(({ id }) => id)
const specification = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8')
const rules = readRules(specification)
const traced = trace(catalogue)

/** Members that occur more than once. */
function repeated(members: readonly string[]): string[] {
  return members.filter((member, at) => members.indexOf(member) !== at)
}

test('ids are unique', () => {
  expect(repeated(ids)).toEqual([])
})

test('ids are pinned: a missing or renamed id or a changed level breaks files of expected failures', async () => {
  const pinned = catalogue.map(({ id, level }) => `${id} ${level}`).sort()
  await expect(`${pinned.join('\n')}\n`).toMatchFileSnapshot('__snapshots__/requirements.txt')
})

test('an id is words in capitals, with the operation at the end if it is one of a group', () => {
  const words = /^[A-Z0-9]+(?:[-_][A-Z0-9]+)*$/
  const wrong = catalogue.filter(({ id, operation }) => {
    const [last = '', ...others] = id.split('-').reverse()
    if (isOperationId(last)) return last !== operation || !words.test(others.reverse().join('-'))
    return !words.test(id)
  })
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('a statement is one sentence that ends with a full stop', () => {
  const wrong = catalogue.filter(
    ({ statement }) => !/^\S.*[^.\s]\.$/.test(statement) || /[.!?] [A-Z]/.test(statement),
  )
  expect(wrong.map(({ statement }) => statement)).toEqual([])
})

test('no two requirements state the same', () => {
  expect(repeated(catalogue.map(({ statement }) => statement))).toEqual([])
})

test('every operation has its acceptance and its shape required', () => {
  const acceptances: Record<string, string> = {
    runTask: 'RUN-ACCEPTED',
    generateCreative: 'CREATIVE-ACCEPTED',
  }
  const wanted = operationIds.flatMap((operation) => [
    acceptances[operation] ?? `ACCEPTS-${operation}`,
    `SHAPE-${operation}`,
  ])
  expect(wanted.filter((id) => !ids.includes(id))).toEqual([])
})

test('every operation that a key opens has its limit required, and every free one its price', () => {
  const wanted = operationIds.flatMap((operation) => [
    ...(routeOf(operation).auth === 'key' ? [`LIMIT-${operation}`] : []),
    ...(routeOf(operation).cost === 0 ? [`FREE-${operation}`] : []),
  ])
  expect(wanted.filter((id) => !ids.includes(id))).toEqual([])
})

test('every state that a requirement needs is one of the protocol', () => {
  const needed = catalogue.filter(isProbe).flatMap(({ needs }) => needs)
  const named = needed.flatMap((need) => (need.startsWith('state:') ? [need.slice('state:'.length)] : []))
  expect([...new Set(named)].filter((name) => !Object.hasOwn(states, name))).toEqual([])
})

test('a check that spends a credit declares that it writes and runs alone', () => {
  const wrong = catalogue.filter((one) => isProbe(one) && one.cost > 0 && !(one.writes && one.alone))
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('a check that is repeated on violation runs alone', () => {
  const wrong = catalogue.filter((one) => isProbe(one) && one.quiet && !one.alone)
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('no two rules of the specification have the same anchor or text', () => {
  expect(repeated(rules.map(({ anchor }) => anchor))).toEqual([])
  expect(repeated(rules.map(({ section, text }) => `${section} ${text}`))).toEqual([])
})

test('every anchor of the specification belongs to a rule, and every rule is mapped, in the same order', () => {
  const anchors = [...specification.matchAll(/<a id="([^"]*)"/g)].map(([, anchor]) => anchor)
  expect(rules.map(({ anchor }) => anchor)).toEqual(anchors)
  expect(Object.keys(mapping)).toEqual(anchors)
})

test('every rule leads to requirements that exist, or gives a reason why it leads to none', () => {
  const unknown = traced.flatMap(({ patterns }) => patterns.filter((one) => !ids.some((id) => fits(id, one))))
  expect(unknown).toEqual([])
  for (const { anchor, reason, requirements } of traced) {
    if (reason === undefined) expect([anchor, requirements.length]).not.toEqual([anchor, 0])
    else expect(reason).toMatch(/^\S.*\.$/)
  }
})

/** The sections that a requirement cites, one by one. */
function sectionsOf({ section }: { readonly section: string }): string[] {
  return section.split(', ')
}

/** Whether a place in the specification is in a section: `§4` holds `§4 Tasks`, and `§3` holds `§3.2`. */
function isIn(place: string, section: string): boolean {
  return place === section || place.startsWith(`${section} `) || place.startsWith(`${section}.`)
}

test('every requirement comes from a rule of each section that it cites', () => {
  const sections = new Map(rules.map(({ anchor, section }) => [anchor, section]))
  const wrong = catalogue.flatMap((requirement) => {
    const places = anchorsOf(requirement).map((anchor) => sections.get(anchor) ?? anchor)
    return sectionsOf(requirement)
      .filter((section) => !places.some((place) => isIn(place, section)))
      .map((section) => `${requirement.id} cites ${section}; traced to it: ${places.join(', ') || 'nothing'}`)
  })
  expect(wrong).toEqual([])
})
