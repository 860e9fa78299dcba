/**
 * A service with a fault in its third reply is found, shrunk and shown; one without is not accused. What is found joins the
 * results and the history of the catalogue.
 */
import { expect, onTestFinished, test, vi } from 'vitest'
import { generateHistoryDefects } from '#proof/history-defects/generated.ts'
import { lateEffectVariations } from '#proof/legal-variations/limits.ts'
import { createMutatedMock, type Mutation } from '#proof/mutations/mutation.ts'
import { changeField } from '#proof/mutations/reply.ts'
import { replaceHandler } from '#proof/mutations/rules.ts'
import type { Target } from '../client/target.ts'
import type { Requirement } from '../harness/requirement.ts'
import { type OperatorAccess, settingsWithDefaults } from '../harness/terms.ts'
import { judgeHistory } from '../model/index.ts'
import { answeredRequest, buildHistory } from '../model/testing/history.ts'
import { createEmbeddedMock } from '../targets/in-process.ts'
import { type ExplorationResult, explore } from './explore.ts'
import type { Finding } from './report/findings.ts'
import { resultsOfExploration, withExploration } from './report/results.ts'
import { findingFileText, findingShellScript, findingVitestFile, parseFindingFile } from './report/saved.ts'
import type { Step } from './step.ts'

const serviceWith = (mutation: Mutation, given: Parameters<typeof createEmbeddedMock>[0] = {}) =>
  createEmbeddedMock(given, (options) => createMutatedMock([mutation], options))

const settingsFor = (access: OperatorAccess, maxCredits = 0) =>
  settingsWithDefaults({
    ...access,
    extended: 'on',
    runId: 'verify-test',
    consistency: 100,
    runTimeout: 2_000,
    maxCredits,
  })

/** A mock whose reads of tasks show another text from the third on, or in the third one only. */
const forgetful = ({ once = false } = {}) => {
  let reads = 0
  const isWrong = () => ++reads === 3 || (reads > 3 && !once)
  const mutation = changeField('getTask', 'task.text', (text) => (isWrong() ? 'another text' : text))
  return serviceWith(mutation)
}

const common = { kind: 'call', tenant: 'main', credential: 'key' } as const
const search = { until: { steps: 150 }, seed: 3, clients: 4 }

/** The search of a forgetful mock, whose third reply differs from then on. */
const lasting = forgetful()
const found = await explore(settingsFor(lasting.access), lasting.target, search)
const [finding] = found.findings

test('a violation is shrunk, seen twice, and reported as a failed requirement with its history', () => {
  expect(finding).toMatchObject({ confirmed: true, violation: { requirement: 'RUN-KEEPS-TASK' } })
  const operations = finding?.evidence.map(({ operation }) => operation) ?? []
  expect([operations[0], operations.at(-1)]).toEqual(['createTask', 'getTask'])
  expect(operations.length).toBeLessThanOrEqual(6)
  const requirement = { id: 'RUN-KEEPS-TASK', level: 'MUST' }
  const judged = [{ requirement, outcome: 'passed' }]
  const run = { results: judged, credits: {}, history: [], created: [], secrets: [], left: [] }
  const { results } = withExploration(run as never, found, () => undefined, false)
  expect(results[0]).toMatchObject({ outcome: 'failed', actual: '"another text"' })
})

test('what came once is told with what was possible before each of its steps', async () => {
  const { target, access } = forgetful({ once: true })
  const [seen] = (await explore(settingsFor(access), target, search)).findings
  expect(seen).toMatchObject({ how: 'once' })
  expect(seen?.before_steps).toHaveLength(seen?.steps.length ?? 0)
  expect(seen?.before_steps.flat()).not.toEqual([])
  expect(seen?.before.join(' ')).toMatch(/The task \S+ was created by this run/)
})

test('a finding is saved, and its file shows it again', async () => {
  if (!finding) throw new Error('nothing was found')
  expect(finding.before_steps).toHaveLength(finding.steps.length)
  expect(finding.before_steps.flat().at(-1)).toMatch(/^The task \S+ was created by this run/)
  const saved = parseFindingFile(JSON.parse(findingFileText(finding)))
  const replay = { ...search, saved: [saved], replayOnly: true }
  const again = await explore(settingsFor(lasting.access), lasting.target, replay)
  expect(again.findings).toMatchObject([{ times: 2, violation: { requirement: 'RUN-KEEPS-TASK' } }])
  const script = findingShellScript(finding, (text) => text)
  expect(script).toContain('/api/cli/tasks/$ID_')
  expect(script).not.toContain(lasting.access.apiKey)
  expect(findingVitestFile(finding, 'found.json')).toContain("'./found.json'")
})

test('a file shows again what only a balance tells, where it is not known yet how failed runs end', async () => {
  const free = () => generateHistoryDefects().get('success-refunded:every-2')?.mutate() ?? {}
  const run = (stepId: number): Step[] => [
    { ...common, stepId, operation: 'runTask', target: { createdBy: 2 } },
    { kind: 'awaitRun', stepId: stepId + 1, tenant: 'main', target: { createdBy: 2 } },
  ]
  const steps: readonly Step[] = [
    { kind: 'state', stepId: 1, tenant: 'main', state: 'credits', params: { credits: 5 } },
    { ...common, stepId: 2, operation: 'createTask', body: { text: 'Task {tag}' } },
    ...[...run(3), ...run(5)],
    { kind: 'wait', stepId: 7, ms: 2_200 },
    { ...common, stepId: 8, operation: 'whoami' },
  ]
  const replay = { ...search, saved: [{ requirement: 'CREDITS-RUN-COSTS-ONE', steps }], replayOnly: true }
  const requirements = async (mutation: Mutation) => {
    const { target, access } = serviceWith(mutation, { runDuration: '3s' })
    const { findings } = await explore(settingsFor(access), target, replay)
    return findings.map(({ violation }) => violation.requirement)
  }
  expect(await requirements(free())).toEqual(['CREDITS-RUN-COSTS-ONE'])
  expect(await requirements({})).toEqual([])
})

test('what a list shows late alone is shrunk, too', async () => {
  const late = generateHistoryDefects().get('tasks-empty:after-mark-2')?.mutate() ?? {}
  const { target, access } = serviceWith(late)
  const { findings } = await explore(settingsFor(access), target, {
    ...search,
    until: { steps: 400 },
    seed: 4,
  })
  expect(findings).toMatchObject([{ how: 'replayed', violation: { requirement: 'LIST-PROMPT' } }])
  expect(findings[0]?.evidence.length).toBeLessThanOrEqual(6)
})

test.each([
  [503, 'unavailable', 'UNAVAILABLE-UNARRANGED'],
  [500, 'internal_error', 'RUN-ACCEPTED'],
])('a run that is answered %i is not expected to end', async (status, error, requirement) => {
  const answer = { error, message: 'Try again.' }
  const mutation: Mutation = {
    middleware: async ({ request, operation }, next) =>
      operation === 'runTask' ? Response.json(answer, { status }) : next(request),
  }
  const { target, access } = serviceWith(mutation)
  const steps: readonly Step[] = [
    { ...common, stepId: 1, operation: 'createTask', body: { text: 'Task {tag}' } },
    { ...common, stepId: 2, operation: 'runTask', target: { createdBy: 1 } },
    { kind: 'awaitRun', stepId: 3, tenant: 'main', target: { createdBy: 1 } },
  ]
  const replay = { ...search, saved: [{ requirement: 'RUN-ENDS', steps }], replayOnly: true }
  const { findings } = await explore(settingsFor(access, 8), target, replay)
  expect(findings.map(({ violation }) => violation.requirement)).toEqual([requirement])
})

test.each([
  ['each one behind another', (_: number, ahead: number) => ahead > 0, true],
  ['only the third one', (n: number) => n === 3, false],
])('a run that never starts is found: %s', async (_, isLost, confirmed) => {
  let runs = 0
  const mutation = replaceHandler('runTask', (call, usual) => {
    const { agent } = call.org
    const { accept } = agent
    if (isLost(++runs, agent.load)) agent.accept = () => undefined
    const outcome = usual(call)
    agent.accept = accept
    return outcome
  })
  const { target, access } = serviceWith(mutation, { runDuration: '50ms' })
  const { findings } = await explore(settingsFor(access), target, {
    ...search,
    seed: 4,
    until: { steps: 500 },
  })
  const found = findings.filter(({ violation }) => violation.requirement === 'RUN-ENDS')
  expect(found).toMatchObject([{ confirmed, how: confirmed ? 'replayed' : 'once' }])
})

test('a search ends in time with a violation in hand, and says while it looks into it', async () => {
  const { target, access } = forgetful({ once: true })
  let [now, isSlow] = [0, false]
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => void vi.restoreAllMocks())
  const transport: Target['transport'] = async (...given) => {
    now += isSlow ? 25 : 1
    const response = await target.transport(...given)
    isSlow ||= (await response.clone().text()).includes('another text')
    return response
  }
  const looking = new Set<string | undefined>()
  const { findings } = await explore(
    settingsFor(access),
    { ...target, transport },
    { ...search, until: { ms: 500 } },
    (progress) => looking.add(progress.investigating),
  )
  expect(findings).toMatchObject([{ how: 'untried', violation: { requirement: 'RUN-KEEPS-TASK' } }])
  expect(looking).toContain('RUN-KEEPS-TASK')
  expect(now).toBeLessThan(1_000)
})

test('a service that shows everything late is found to be late, and searched with waits', async () => {
  const late = lateEffectVariations.find(({ id }) => id === 'late-everything')?.mutate() ?? {}
  const { target, access } = serviceWith(late, { runDuration: 100 })
  const settings = { ...settingsFor(access), consistency: 2_000 }
  const started = target.now()
  const found = await explore(settings, target, { until: { steps: 200 }, seed: 4, clients: 8 })
  expect(found.findings.filter(({ violation }) => violation.requirement !== 'LIST-PROMPT')).toEqual([])
  expect(target.now() - started).toBeLessThan(50_000)
})

test('created keys are deleted, balances are put back, and arranged credits do not count', async () => {
  const { mock, target, access } = createEmbeddedMock({ credits: 33 })
  const found = await explore(settingsFor(access), target, { until: { steps: 500 }, seed: 5, clients: 8 })
  expect(found.findings).toEqual([])
  expect([found.spent, found.left]).toEqual([0, []])
  expect(found.created.some(({ operation }) => operation === 'createKey')).toBe(true)
  const ask = async (path: string, headers: Record<string, string>) =>
    (await mock.fetch(new Request(`${target.baseUrl}/api/cli/${path}`, { headers }))).json()
  expect((await ask('keys', { cookie: access.sessionCookie ?? '' })).keys).toHaveLength(1)
  expect((await ask('whoami', { authorization: `Bearer ${access.apiKey}` })).credits).toBe(33)
})

test('a key that cannot be deleted is reported once', async () => {
  const undeletable: Mutation = {
    middleware: async ({ request, operation }, next) =>
      operation === 'deleteKey' ? new Response('{}', { status: 500 }) : next(request),
  }
  const { target, access } = serviceWith(undeletable)
  const { left, created } = await explore(settingsFor(access), target, { ...search, until: { steps: 300 } })
  const keys = created.filter(({ operation }) => operation === 'createKey')
  expect(keys.length).toBeGreaterThan(0)
  expect(left.toSorted()).toEqual(keys.map(({ id }) => id).toSorted())
})

test('without the state for credits, no more is spent than allowed', async () => {
  const { target, access } = createEmbeddedMock({ credits: 33 })
  const settings = settingsFor({ ...access, statesUrl: undefined }, 3)
  const found = await explore(settings, target, { until: { steps: 200 }, seed: 3, clients: 8 })
  expect(found.spent).toBeGreaterThan(0)
  expect(found.spent).toBeLessThanOrEqual(3)
  expect(found.findings).toEqual([])
})

test.each([
  [{}, 'requirement'],
  [{ requirement: 'X', steps: [{ kind: 'jump', stepId: 1 }] }, 'steps.0'],
])('%j is no saved history', (json, message) => {
  expect(() => parseFindingFile(json)).toThrow(message)
})

const created = (id: string, secret: number) =>
  answeredRequest(
    'createKey',
    { key: { id, name: 'Key' }, secret: 'hidden' },
    { body: { name: 'Key' }, secret },
  )

test('the secrets of a joined history are told apart by its own numbers', () => {
  const run = { credits: {}, results: [], created: [], secrets: [], left: [] }
  const history = buildHistory([created('key_1', 1), created('key_2', 2)])
  const found = { findings: [], requests: 0, created: [], secrets: [], left: [] }
  const explored = { ...found, history: buildHistory([created('key_3', 1), created('key_4', 2)]) }
  const joined = withExploration(
    { ...run, history } as never,
    explored as unknown as ExplorationResult,
    () => undefined,
    false,
  )
  expect(joined.history.map((event) => event.kind === 'request' && event.secret)).toEqual([1, 2, 3, 4])
  expect(judgeHistory(joined.history).violations).toEqual([])
})

test('what the search finds of a requirement that --only leaves out is a gap, and of one that --skip leaves out is none', () => {
  const requirement = { id: 'ISOLATION-LIST-TASKS', level: 'MUST' } as unknown as Requirement
  const run = { results: [{ requirement, outcome: 'not_exercised' }], credits: {} }
  const lists = { history: [], created: [], secrets: [], left: [] }
  const violation = { requirement: requirement.id, expected: 'its own tasks', actual: 'another' }
  const found = { ...lists, findings: [{ violation }] } as unknown as ExplorationResult
  const gapsUnder = (flag: '--only' | undefined) =>
    withExploration({ ...run, ...lists } as never, found, () => ({ reason: '', unselectedBy: flag }), false)
      .gaps
  expect(gapsUnder('--only')).toEqual([
    'The search found something against ISOLATION-LIST-TASKS, which --only leaves out: expected its own tasks, got another.',
  ])
  expect(gapsUnder(undefined)).toEqual([])
})

test.each([
  ['once', false, 'failed', 'nobody else can have caused it'],
  ['once', true, 'suspected', 'it was read in the middle of a change, or somebody else'],
  ['untried', false, 'failed', 'before it could be tried again'],
  ['suspected', false, 'suspected', 'search for longer'],
] as const)('what was seen %s, and others cause: %s, is %s', (how, others, outcome, reason) => {
  const requirement = { id: 'ISOLATION-LIST-TASKS', level: 'MUST' } as unknown as Requirement
  const violation = {
    requirement: requirement.id,
    expected: 'nothing of another',
    actual: 'Task',
    attributableToOthers: others,
  }
  const common = { violation, how, confirmed: false, evidence: [], before: [] }
  const finding = { ...common, requests: 12 } as unknown as Finding
  const results = [{ requirement, outcome: 'passed', how: 'observed', evidence: [] }]
  const run = { credits: {}, results, created: [], secrets: [], left: [], history: [] }
  const found = { findings: [finding], requests: 0, created: [], secrets: [], left: [], history: [] }
  const joined = withExploration(run as never, found as unknown as ExplorationResult, () => undefined, false)
  expect(joined.results[0]).toMatchObject({ outcome, reason: expect.stringContaining(reason) })
  expect(joined.results[0]?.reason).toContain(' (12 requests to try it again)')
})

test('of a search alone, what it has tried has passed, and the rest is left out or not exercised', () => {
  const requirements = ['TASK-LISTED', 'DOC-ALL', 'RUN-ENDS'].map((id) => ({ id }) as unknown as Requirement)
  const leftOut = ({ id }: Requirement) => (id === 'DOC-ALL' ? { reason: 'left out by --skip' } : undefined)
  const results = resultsOfExploration(requirements, new Set(['TASK-LISTED', 'DOC-ALL']), leftOut)
  expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['passed', undefined],
    ['not_exercised', 'left out by --skip'],
    ['not_exercised', 'only the search was run (--explore-only)'],
  ])
})
