/** The script of a finding does its steps: in their order, at once, with states and waits, and says what no replay has shown. */
import { spawn, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { listen } from '#mocks/edges/http.ts'
import { createMutatedMock } from '#proof/mutations/mutation.ts'
import type { Step } from '../step.ts'
import type { Finding } from './findings.ts'
import { findingFileText, findingShellScript, findingVitestFile, parseFindingFile } from './saved.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0
const credential = { tenant: 'main', credential: 'key' } as const
const call = { kind: 'call', ...credential } as const

const steps: readonly Step[] = [
  { kind: 'state', stepId: 1, tenant: 'main', state: 'credits', params: { credits: 3 } },
  { ...call, stepId: 2, operation: 'createTask', body: { text: "It's {tag} & $HOME" } },
  { ...call, stepId: 3, operation: 'createDocument', body: { title: 'a', folder_id: 'in {tag}' } },
  {
    kind: 'burst',
    stepId: 4,
    calls: [
      { ...call, stepId: 5, operation: 'runTask', target: { createdBy: 2 } },
      { ...call, stepId: 6, operation: 'listDocuments', query: { folder_id: 'in {tag}' } },
    ],
  },
  { kind: 'wait', stepId: 7, ms: 50 },
  { kind: 'awaitRun', stepId: 8, tenant: 'main', target: { createdBy: 2 } },
  { ...call, stepId: 9, operation: 'whoami' },
]

const finding = (how: Finding['how'], base: string): Finding => ({
  violation: {
    requirement: 'CREDITS-RUN-COSTS-ONE',
    expected: 'credits: 2',
    actual: '1',
  } as Finding['violation'],
  confirmed: how !== 'once',
  how,
  times: 2,
  steps,
  requests: 0,
  evidence: [{ url: `${base}/api/cli/whoami`, requestHeaders: {} }] as unknown as Finding['evidence'],
  before: [],
  before_steps: [],
  interference: undefined,
})

test.runIf(hasCurl)(
  'a script creates, refers to what it made, and holds races, states and waits',
  async () => {
    const mock = createMutatedMock([], { runDuration: 20 })
    const listener = await listen(mock, { host: '127.0.0.1', port: 0 })
    try {
      const { apiKey } = mock.credentials()
      const env = {
        ...process.env,
        WORK_AGENT_API_KEY: apiKey,
        WORK_AGENT_STATES_URL: `${listener.url}/__admin/states`,
      }
      const child = spawn('sh', ['-c', findingShellScript(finding('replayed', listener.url), String)], {
        env,
      })
      let out = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (out += text))
      await new Promise((resolve) => child.on('close', resolve))
      const statuses = [...out.matchAll(/^# (\d+): (\d+)/gm)].map(
        ([, stepId, status]) => `${stepId} ${status}`,
      )
      expect(statuses.toSorted(), out).toEqual(['2 200', '3 200', '5 200', '6 200', '8 200', '9 200'])
      expect(out).toContain(`# state credits {"credits":3}: 2`)
      expect(out).toMatch(/# 6: .*"in replay-\d+"/)
      expect(out).toMatch(/# 9: .*"credits":2/)
      expect(out).toMatch(/# 2: .*"It's replay-\d+ & \$HOME"/)
    } finally {
      await listener.close()
    }
  },
)

test('what no replay has shown is said where the steps are', () => {
  const doubt = 'no replay of these steps has shown it'
  const [shown, read] = [finding('replayed', ''), finding('read again', '')]
  expect(findingShellScript(shown, String) + findingVitestFile(shown, 'a.json')).not.toContain(doubt)
  expect(findingShellScript(read, String)).toContain(doubt)
  expect(findingVitestFile(read, 'a.json')).toContain(doubt)
  expect(findingShellScript({ ...shown, needsPriorState: true }, String)).toContain(
    'not in one that nobody had used',
  )
})

test('a file with the former names of steps is read', () => {
  const found = findingFileText(finding('replayed', ''))
  const former = found
    .replaceAll('"stepId"', '"at"')
    .replaceAll('"target"', '"of"')
    .replaceAll('"credential"', '"as"')
    .replaceAll('"createdBy"', '"made"')
    .replaceAll('"awaitRun"', '"end"')
  expect(former).not.toBe(found)
  expect(parseFindingFile(JSON.parse(former)).steps).toEqual(steps)
})
