/** Decisions on some services, clients and calls, without a word of why: verdicts, exit codes, what filters let through. */
import { runCliInProcess } from '#cli/testing/in-process.ts'
import { createJournalEntryConverter, judgeRecordedClients } from '#client-tests/recorded.ts'
import type { RequirementResult } from '#contract-tests/harness/outcome.ts'
import { settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import { judgeRecordedHistory } from '#contract-tests/runner/history.ts'
import { RecordingInterpreter } from '#contract-tests/runner/recorded.ts'
import { answerAlterations } from '#contract-tests/strength/violations.ts'
import { createMock } from '#mocks/app.ts'
import { readHarExchanges } from '#traffic/recording.ts'
import { referenceClientWithFlaw } from '../bad-clients/bad-client.ts'
import { badClients } from '../bad-clients/index.ts'
import { tryClient } from '../bad-clients/try-client.ts'
import { defects } from '../defects/index.ts'
import { recordClientOnNewMock } from '../recording.ts'
import { tryMutations } from '../trial.ts'
import { rewordedMark } from './mark.ts'

const share = <T>(rows: readonly T[], count: number) =>
  rows.filter((_, i) => i % Math.ceil(rows.length / count) === 0)

const reasons: string[] = []

const decided = (results: readonly RequirementResult[]) =>
  results
    .map(({ requirement, outcome, how, reason, expected, others, providerFault, evidence, delta }) => {
      for (const text of [reason, expected, requirement.statement]) if (text !== undefined) reasons.push(text)
      const fault = providerFault?.mayBeOthers
      // Without the numbers of exchanges, which vary: requests of the same moment are sent in any order.
      const shown = evidence.map(({ operation, status }) => `${operation} ${status}`)
      return [requirement.id, outcome, how, others, fault, delta, shown]
    })
    .toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))

/** Decisions of the suite on a service with one defect or variation. */
async function serviceVerdict({ id, mutate }: Pick<(typeof defects)[number], 'id' | 'mutate'>) {
  const { run, faults } = await tryMutations([mutate()], 'first', { extended: 'on' })
  return [id, faults.length, decided(run.results)]
}

/** Decisions of the rules on a client, as it runs and by its recording. */
async function clientVerdict({ id, flaw, hidesErrors, scenario }: (typeof badClients)[number]) {
  const client = referenceClientWithFlaw(flaw, hidesErrors)
  const recorded = readHarExchanges(await recordClientOnNewMock({ scenario }, client))
  const seen = new RecordingInterpreter().read(recorded)
  const settings = settingsWithDefaults({ apiKey: '' })
  const exchanges = seen.flatMap(({ exchange }) => exchange ?? [])
  const events = seen.map(({ event }) => event)
  const reports = [
    await tryClient(client, { scenario }),
    judgeRecordedClients(recorded.map(createJournalEntryConverter()), false),
  ]
  return [
    id,
    reports.map(({ outcome, rules }) => [outcome, rules.map((rule) => [rule.id, rule.outcome])]),
    decided(judgeRecordedHistory(events, 'http://mock.test', settings, exchanges).results),
  ]
}

/** The number of violations by which the strength of a verdict is measured, for each operation. */
const violationCounts = () =>
  Object.entries(Object.groupBy(answerAlterations, ({ operation }) => operation ?? 'several')).map(
    ([operation, those]) => [operation, those.length],
  )

/** Exit codes of calls that need no service, and the number of lines that they print. */
async function exitCodes() {
  const calls = [
    'verify --list',
    'verify --list --only AUTH-*',
    'verify --only NO-SUCH',
    'verify http://127.0.0.1:1 --api-key',
    'check --list',
    'check --explain pays-once',
    'check --explain no-such-rule',
    'check --fault nonsense -- true',
    'check --scenario no-such -- true',
    'mock --fault runTask=losst',
    'mock --strict-client plan-objects',
    'judge no-such-file.har',
  ]
  const codes: unknown[] = []
  for (const call of calls) {
    const { code, out } = await runCliInProcess(call)
    codes.push([call, code, out.split('\n').length])
  }
  return codes
}

/** Which requests of a client the filters of the journal let through. */
async function filtered() {
  const mock = createMock({ fault: 'runTask=busy,lost,500', strictClient: 'plan-object' })
  const { apiKey } = mock.credentials()
  const ask = (path: string, method = 'GET', body?: object) =>
    mock
      .fetch(`http://mock.test/api/cli/${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      .then((answer) => answer.text())
      .catch(() => '')
  const { task } = JSON.parse(await ask('tasks', 'POST', { text: 'Say hello' }))
  for (let i = 0; i < 3; i++) await ask(`tasks/${task.id}/run`, 'POST')
  for (const path of ['whoami', 'tasks/none', `tasks/${task.id}`]) await ask(path)
  await ask('tasks', 'POST', { text: 7 })
  const listed = async (query: string) => {
    const answer = await mock.fetch(`http://mock.test/__admin/requests?${query}`)
    const { requests } = (await answer.json()) as { requests: { status: number; error: string | null }[] }
    return [query, requests.map(({ status, error }) => [status, error])]
  }
  return Promise.all(['', 'status=4xx', 'status=0', 'operation=runTask', 'error=busy'].map(listed))
}

/**
 * Collects the verdicts of all judges (suite and client report) on a sample of defects and clients, without the texts
 * of messages; counts the messages, and how many are reworded.
 */
export async function collectVerdicts() {
  const services = []
  for (const one of share(defects, 3)) services.push(await serviceVerdict(one))
  const clients = []
  for (const one of share(badClients, 3)) clients.push(await clientVerdict(one))
  const [codes, requests] = [await exitCodes(), await filtered()]
  return {
    verdicts: { services, clients, violations: violationCounts(), codes, requests },
    reasons: reasons.length,
    marked: reasons.filter((text) => text.endsWith(rewordedMark)).length,
  }
}
