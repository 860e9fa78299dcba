/** The evidence of a violation: also the requests that made, and unmade, what it names. What follows from what. */

import { expect, test } from 'vitest'
import type { OperationId } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { catalogue } from '../catalogue/index.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import { sampleExchange } from '../report/testing/sample.ts'
import { markConsequencesNotExercised, violatedResult, withCompleteEvidence } from './results.ts'

const exchange = (
  number: number,
  operation: OperationId,
  path: string,
  authorization: string,
  json: unknown,
): Exchange => ({
  ...sampleExchange,
  ...{ number, operation, url: `http://service.test/api/cli${path}`, requestHeaders: { authorization } },
  ...{ status: json === undefined ? 404 : 200, json, text: JSON.stringify(json) ?? '' },
})

test('a violation about what a created key has made shows the deletion of the key, if that came before', () => {
  const [own, made] = ['Bearer the-key-itself', 'Bearer the-created-key']
  const exchanges = [
    exchange(1, 'createKey', '/keys', own, { key: { id: 'k1' }, secret: 'the-created-key' }),
    exchange(2, 'createDocument', '/documents', made, { item: { id: 'd1', title: 'Plan' } }),
    exchange(3, 'getDocument', '/documents/d1', own, undefined),
    exchange(4, 'deleteKey', '/keys/k1', own, { ok: true }),
    exchange(5, 'getDocument', '/documents/d1', own, undefined),
  ]
  const secrets = [{ id: 'k1', secret: 'the-created-key', others: [], shownBy: 1 }]
  const [requirement] = catalogue.filter(({ id }) => id === 'DOC-READABLE')
  if (!requirement) throw new Error('no such requirement')
  const shownFor = (number: number) => {
    const evidence = exchanges.filter((one) => one.number === number)
    const said = { expected: 'the created document', actual: '404 not_found' }
    const result = violatedResult(requirement, 'observed', said, evidence)
    return withCompleteEvidence(result, { exchanges, secrets }).evidence.map((one) => one.number)
  }
  expect([shownFor(3), shownFor(5)]).toEqual([
    [1, 2, 3],
    [1, 2, 4, 5],
  ])
})

test.each<[string, RequirementId, string]>([
  ['advice explains no failure of a duty', 'DOC-FOLDER', 'failed'],
  ['a duty explains it', 'ACCEPTS-whoami', 'not_exercised'],
])('of the same 500, %s', (_, cause, outcome) => {
  const said = { expected: 'a success', actual: '500 internal_error' }
  const evidence = [{ ...exchange(1, 'listDocuments', '/documents', 'Bearer the-key', {}), status: 500 }]
  const results = [cause, 'ANSWER-NO-500'].map((id) => {
    const requirement = catalogue.find((one) => one.id === id)
    if (!requirement) throw new Error(`no requirement ${id}`)
    return violatedResult(requirement, 'observed', said, evidence)
  })
  expect(markConsequencesNotExercised(results)[1]?.outcome).toBe(outcome)
})
