/** A balance that nothing explains is told by what was paid for. */
import { expect, test } from 'vitest'
import type { ModelViolation } from '../model/index.ts'
import { type Arranged, type Given, historyOf, said } from '../model/testing/history.ts'
import { attributed } from './findings.ts'

const whoami = said('whoami', { credits: 5 })
const run = said('runTask', { ok: true }, { resource: 'task_1' })
const creative = said('generateCreative', { artifactId: 'a' })
const fails: Arranged = { arranged: 'next_run_fails' }
const creativeFails: Arranged = { arranged: 'next_creative_fails' }

test.each([
  ['a run', [whoami, run, whoami], 5, 'CREDITS-RUN-COSTS-ONE'],
  ['a run and a creative', [whoami, run, creative, whoami], 1, 'CREDITS-RUN-COSTS-ONE'],
  ['creatives', [whoami, creative, creative, whoami], 4, 'CREATIVE-COSTS-ONE'],
  ['a failed creative', [whoami, creativeFails, { ...creative, status: 503 }, whoami], 5, 'CREATIVE-REFUND'],
  ['a double refund', [whoami, fails, run, whoami], 6, 'CREDITS-REFUND-ONCE'],
  ['a refused run', [whoami, { ...run, status: 404 }, whoami], 3, 'CREDITS-REFUSED-RUN'],
  ['a refused creative', [whoami, { ...creative, status: 400 }, whoami], 3, 'CREATIVE-REFUSED-FREE'],
  ['another organization', [whoami, { ...run, tenant: 'other' }, whoami], 3, 'ISOLATION-CREDITS'],
  ['a free route', [whoami, said('createTask', {}), whoami], 3, 'FREE-createTask'],
  ['nothing', [whoami, whoami], 6, 'CREDITS-RUN-COSTS-ONE'],
] as const)('%s', (_, given: readonly (Given | Arranged)[], actual, requirement) => {
  const violation: ModelViolation = {
    kind: 'violation',
    rule: 'credits-explained-whoami',
    requirement: 'CREDITS-RUN-COSTS-ONE',
    anchor: 'prices',
    expected: 'credits: 4 to 5',
    actual: String(actual),
    because: [1, given.length],
    others: true,
    once: false,
    direct: false,
  }
  expect(attributed(violation, historyOf(given)).requirement).toBe(requirement)
})
