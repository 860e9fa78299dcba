/** The catalogue is well formed, pinned, and traced to the specification rule by rule. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isOperationId, operationIds, routeOf } from '#contract/operation.ts'
import { providerStateActions } from '#mocks/control/provider-states.ts'
import { isCheck, type Requirement } from '../harness/requirement.ts'
import { acceptanceRequirementId } from '../model/index.ts'
import { matchesPattern } from '../runner/selection.ts'
import { parseSpecificationRules, ruleAnchorsOf, rulesWithRequirements } from '../traceability/trace.ts'
import { catalogue } from './index.ts'

const ids = catalogue.map(({ id }) => id)
const specification = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8')
const rules = parseSpecificationRules(specification)
const traced = rulesWithRequirements(catalogue)

test.each([
  ['ids', ids],
  ['statements', catalogue.map(({ statement }) => statement)],
  ['anchors of rules', rules.map(({ anchor }) => anchor)],
  ['texts of rules', rules.map(({ section, text }) => `${section} ${text}`)],
])('%s are unique', (_, members) => {
  expect(members.filter((member, at) => members.indexOf(member) !== at)).toEqual([])
})

/** True if an id is words in capitals, with the operation at the end if it is one of a group. */
function isNamed({ id, operation }: Requirement): boolean {
  const words = /^[A-Z0-9]+(?:[-_][A-Z0-9]+)*$/
  const [last = '', ...others] = id.split('-').reverse()
  return isOperationId(last) ? last === operation && words.test(others.reverse().join('-')) : words.test(id)
}

const isSentence = ({ statement }: Requirement) =>
  /^\S.*[^.\s]\.$/.test(statement) && !/[.!?] [A-Z]/.test(statement)

const needsKnown = (one: Requirement) =>
  !isCheck(one) ||
  one.needs.every(
    (need) => !need.startsWith('state:') || Object.hasOwn(providerStateActions, need.slice('state:'.length)),
  )

test.each<[string, (one: Requirement) => boolean]>([
  ['an id is words in capitals, with the operation at the end if it is one of a group', isNamed],
  ['a statement is one sentence that ends with a full stop', isSentence],
  ['every state that a requirement needs is one of the protocol', needsKnown],
])('%s', (_, isRight) => {
  expect(catalogue.filter((one) => !isRight(one)).map(({ id }) => id)).toEqual([])
})

test('of every operation the acceptance and the shape are required, the limit with a key and the price if free', () => {
  const wanted: string[] = operationIds.flatMap((operation) => [
    acceptanceRequirementId(operation),
    `SHAPE-${operation}`,
    ...(routeOf(operation).auth === 'key' ? [`LIMIT-${operation}`] : []),
    ...(routeOf(operation).cost === 0 ? [`FREE-${operation}`] : []),
  ])
  expect(wanted.filter((id) => !ids.some((one) => one === id))).toEqual([])
})

test('every anchor of the specification belongs to a rule', () => {
  const anchors = [...specification.matchAll(/<a id="([^"]*)"/g)].map(([, anchor]) => anchor)
  expect(rules.map(({ anchor }) => anchor)).toEqual(anchors)
})

test('every rule is tested by a requirement, or has a reason why none tests it', () => {
  for (const { anchor, reason, requirements } of traced) {
    const missing = `${anchor}: add a requirement that .tests() it, or a reason to traceability/untested.ts`
    if (reason === undefined) expect(requirements.length, missing).toBeGreaterThan(0)
    else expect([anchor, requirements, reason]).toEqual([anchor, [], expect.stringMatching(/^\S.*\.$/)])
  }
})

test('the patterns of a rule fit its requirements and no others', () => {
  for (const { patterns, requirements } of traced)
    expect(ids.filter((id) => patterns.some((one) => matchesPattern(id, one)))).toEqual(
      requirements.map(({ id }) => id),
    )
})

/** True if a place in the specification is in a section: `§4` holds `§4 Tasks`, and `§3` holds `§3.2`. */
function isIn(place: string, section: string): boolean {
  return place === section || place.startsWith(`${section} `) || place.startsWith(`${section}.`)
}

test('every requirement comes from a rule of each section that it cites', () => {
  const sections = new Map(rules.map(({ anchor, section }) => [anchor, section]))
  const wrong = catalogue.flatMap((requirement) => {
    const places = ruleAnchorsOf(requirement).map((anchor) => sections.get(anchor) ?? anchor)
    return requirement.section
      .split(', ')
      .filter((section) => !places.some((place) => isIn(place, section)))
      .map((section) => `${requirement.id} cites ${section}; traced to it: ${places.join(', ') || 'nothing'}`)
  })
  expect(wrong).toEqual([])
})
