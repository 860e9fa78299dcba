/** What the evidence of violations must contain, judged from the outside. Pure. */
import { resultsOf, type SuiteRun } from '#contract-tests/harness/outcome.ts'
import { field, idOf } from '#traffic/exchange.ts'
import { requestedId } from '#traffic/odd-input.ts'

/** Every id and secret in a response. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [idOf(value) ?? []].flat()
  return Object.values(value).flatMap(textsIn)
}

/** What the evidence of the violations of a run lacks. */
export function missingEvidence(run: SuiteRun): string[] {
  return resultsOf(run, 'failed', 'warned').flatMap(({ requirement, evidence, delta, expected = '' }) => {
    const lacks: string[] = []
    const creates = (text: string) =>
      evidence.some(
        ({ method, operation, json }) =>
          method === 'POST' && operation.startsWith('create') && textsIn(json).includes(text),
      )
    if (evidence.length === 0) lacks.push('any exchange')
    const made = new Set(run.created.map(({ id }) => id))
    for (const id of evidence.flatMap((one) => requestedId(one) ?? []).filter((one) => made.has(one)))
      if (!creates(id)) lacks.push(`the request that created ${id}`)
    for (const { requestHeaders } of evidence.filter(({ caller }) => caller === 'created key'))
      if (!creates(requestHeaders.authorization?.slice('Bearer '.length) ?? ''))
        lacks.push('the request that created the key')
    if (/^KEY-(?:DELETED|STAYS-DEAD|DELETE-ONE)/.test(requirement.id))
      if (!evidence.some(({ method }) => method === 'DELETE')) lacks.push('the deletion')
    if (delta !== undefined && /credit/.test(expected)) {
      const balances = evidence.filter(({ json }) => field(json, 'credits') !== undefined)
      if (balances.length < 2) lacks.push(`both balances (${balances.length})`)
    }
    return lacks.map((what) => `${requirement.id} lacks ${what}`)
  })
}
