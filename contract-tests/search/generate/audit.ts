/** Ends a case: waits for its runs, and reads everything that it touched. */

import type { CallStep, Step } from '../step.ts'
import type { StepBuilder } from './generator.ts'
import type { KnownResource } from './inventory.ts'

/** Maximum number of touched and of older resources that an audit reads, per kind. */
const auditLimits = { touched: 5, old: 2 } as const

/** Steps that read everything a case has touched, in bursts, after the consistency time. */
export function auditSteps(gen: StepBuilder): Step[] {
  const calls = auditReads(gen)
  const { maxConcurrency } = gen.capabilities
  if (maxConcurrency === 1) return calls
  return Array.from({ length: Math.ceil(calls.length / maxConcurrency) }, (_, i) =>
    gen.burst(calls.slice(i * maxConcurrency, (i + 1) * maxConcurrency)),
  )
}

function auditReads(gen: StepBuilder): CallStep[] {
  const { inventory, random, tenant, capabilities } = gen
  const touched = (kind: KnownResource['kind']) =>
    inventory.resourcesOf(kind, tenant).filter(({ lastUsedInCase }) => lastUsedInCase === inventory.case)
  const touchedAndSomeOld = (kind: KnownResource['kind']) => {
    const old = inventory
      .resourcesOf(kind, tenant)
      .filter(({ lastUsedInCase }) => lastUsedInCase < inventory.case)
    return [
      ...touched(kind).slice(-auditLimits.touched),
      ...Array.from({ length: auditLimits.old }, () => random.pick(old)).filter((one) => one !== undefined),
    ]
  }
  const documents = touchedAndSomeOld('document')
  const folders = new Set(documents.flatMap(({ folder }) => folder ?? []))
  const keys = capabilities.hasSession(tenant) ? touchedAndSomeOld('key') : []
  return [
    gen.call('whoami', { credential: 'key' }),
    gen.call('listTasks', { credential: 'key' }),
    gen.call('listNotifications', { credential: 'key' }),
    ...touchedAndSomeOld('task').map(({ createdBy }) =>
      gen.call('getTask', { credential: 'key', target: { createdBy } }),
    ),
    ...documents.map(({ createdBy }) =>
      gen.call('getDocument', { credential: 'key', target: { createdBy } }),
    ),
    ...(touched('document').length > 0
      ? [gen.call('listDocuments', { credential: 'key', query: { all: '1' } })]
      : []),
    ...[...folders].map((folder_id) =>
      gen.call('listDocuments', { credential: 'key', query: { folder_id } }),
    ),
    ...keys.map(({ createdBy }) => gen.call('whoami', { credential: { createdBy } })),
    ...(keys.length > 0 ? [gen.call('listKeys', { credential: 'session' })] : []),
    ...(capabilities.extended && touched('page').length > 0 ? [gen.call('listLandingPages')] : []),
  ]
}

/** Steps that wait for the runs of a case to end. */
export function awaitRunStepsOfCase(gen: StepBuilder): Step[] {
  const touched = gen.inventory
    .resourcesOf('task', gen.tenant)
    .filter(({ lastUsedInCase, runs }) => lastUsedInCase === gen.inventory.case && runs > 0)
  return touched.map(({ createdBy }) => gen.awaitRun({ createdBy }))
}
