/**
 * `npm run world`: real gateways in front of the mock and the example backends under `verify`, and real HTTP clients
 * under `check`, each with the verdict that the table expects. Words behind it: only what has these names. Outside CI.
 */
import { mkdtempDisposableSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { runProcess } from '#cli/testing/run.ts'
import { installNpmGateways, isGatewayAvailable, RunningGateway } from './gateway-process.ts'
import { gateways } from './gateways.ts'
import { startService } from './services.ts'
import {
  type ExpectedClientVerdict,
  type ExpectedGatewayVerdict,
  expectedClientVerdicts,
  expectedGatewayVerdicts,
  type ServiceName,
} from './verdicts.ts'

/** Number of runs at a time: each mostly waits. */
const atOnce = 3
/** Time until a gateway is killed first, time between two kills, and time for which it is away, ms. */
const [firstKillMs, betweenKillsMs, awayMs] = [2_000, 3_000, 1_500]
/** Flags by which the mock loses the answers of a share of all runs. */
const lostAnswers = ['--fault', 'runTask=lost;rate=0.15']

using folder = mkdtempDisposableSync(join(tmpdir(), 'world-'))

/** The unexpected results of a run; no problems if there were none. */
interface Outcome {
  readonly name: string
  readonly problems: readonly string[]
}

interface Report {
  readonly requirements?: readonly { readonly id: string; readonly outcome: string }[]
  readonly rules?: readonly { readonly id: string; readonly outcome: string }[]
}

/** Runs a command of the product; returns its exit code, what failed, and what it warned of. */
async function judge(command: string, words: readonly string[], after: readonly string[] = []) {
  const file = join(mkdtempSync(join(folder.path, 'run-')), 'report.json')
  const args = ['cli/main.ts', command, ...words, '--quiet', '--report', `json=${file}`, ...after]
  const { code, said } = await runProcess('.', process.execPath, args)
  const report: Report = code <= 1 ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const results = report.requirements ?? report.rules ?? []
  const those = (wanted: string) => results.flatMap(({ id, outcome }) => (outcome === wanted ? id : []))
  return {
    code,
    failed: those('failed'),
    warned: those('warned'),
    said: said.trim().split('\n').at(-1) ?? '',
  }
}

async function behind(verdict: ExpectedGatewayVerdict, serviceName: ServiceName): Promise<Outcome> {
  const { gateway: name, situation, exit, failed, warned, mayFail = [], lines = '' } = verdict
  const gateway = gateways.find((one) => one.name === name)
  if (!gateway) throw new Error(`there is no gateway ${name}`)
  const title = [name, serviceName, situation, lines.split('\n').at(-1)?.trim()].filter(Boolean).join(', ')
  if (!isGatewayAvailable(gateway)) return { name: title, problems: ['it is not installed'] }
  const service = await startService(serviceName, situation === 'lost answers' ? lostAnswers : [])
  const running = await RunningGateway.start(gateway, Number(new URL(service.url).port), lines, folder.path)
  try {
    const judged = judge('verify', [running.url, ...service.flags])
    if (situation === 'restart')
      for (const pause of [firstKillMs, betweenKillsMs]) {
        await setTimeout(pause)
        await running.restart(awayMs)
      }
    const judgement = await judged
    const seen = { ...judgement, failed: judgement.failed.filter((id) => !mayFail.includes(id)) }
    const unseen =
      warned === undefined || seen.warned.includes(warned) ? [] : [`expected a warning: ${warned}`]
    return { name: title, problems: [...differences({ exit, failed }, seen, seen.said), ...unseen] }
  } finally {
    await running.stop()
    await service.stop()
  }
}

function differences(
  expected: { exit: number; failed: readonly string[] },
  seen: { code: number; failed: readonly string[] },
  said: string,
): string[] {
  const isSame = seen.code === expected.exit && seen.failed.join() === expected.failed.join()
  const inWords = (exit: number, failed: readonly string[]) =>
    `exit ${exit} with ${failed.join(', ') || 'nothing'} failed`
  return isSame
    ? []
    : [`expected ${inWords(expected.exit, expected.failed)}, got ${inWords(seen.code, seen.failed)}: ${said}`]
}

async function checked({
  client,
  language,
  command,
  usual,
  breaks,
  fixed,
}: ExpectedClientVerdict): Promise<Outcome> {
  const before = await judge('check', [], ['--', ...command])
  const after = await judge('check', [], ['--', ...command, 'fixed'])
  const problems: string[] = []
  if (before.code !== usual) problems.push(`expected exit ${usual}, got ${before.code}: ${before.said}`)
  else if (breaks && !before.failed.includes(breaks))
    problems.push(`expected ${breaks} to fail, and ${before.failed.join(', ') || 'nothing'} did`)
  if (after.code !== fixed) problems.push(`fixed: expected exit ${fixed}, got ${after.code}: ${after.said}`)
  return { name: `${client} (${language})`, problems }
}

const words = process.argv.slice(2)
const isChosen = (...names: readonly string[]) =>
  words.length === 0 || names.some((name) => words.includes(name))
const runs = [
  ...expectedGatewayVerdicts
    .filter(({ gateway, situation }) => isChosen('gateways', gateway, situation))
    .flatMap((verdict) => verdict.services.map((service) => () => behind(verdict, service))),
  ...expectedClientVerdicts
    .filter(({ client, language }) => isChosen('clients', client, language))
    .map((verdict) => () => checked(verdict)),
]

installNpmGateways(folder.path)
const queue = runs.values()
let unexpected = 0
const worker = async () => {
  for (const next of queue) {
    const { name, problems } = await next()
    if (problems.length > 0) unexpected++
    console.log(
      `${problems.length === 0 ? 'as expected' : 'NOT AS EXPECTED'}: ${[name, ...problems].join('; ')}`,
    )
  }
}
await Promise.all(Array.from({ length: atOnce }, worker))
console.log(`\n${runs.length - unexpected} as expected, ${unexpected} not`)
process.exitCode = unexpected > 0 || runs.length === 0 ? 1 : 0
