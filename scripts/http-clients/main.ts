/** `npm run generate http-clients`: judges HTTP clients at their usual settings and fixed, and writes the page about them. */
import { mkdtempDisposableSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '#cli/testing/run.ts'
import type { ClientReport } from '#client-tests/client-report.ts'
import { clients, type HttpClient, type Judged, type Reports, renderPage } from './page.ts'

using folder = mkdtempDisposableSync(join(tmpdir(), 'http-clients-'))

/** Under every fault a client is killed after that time: a hanging request decides. */
const everyFault = ['--every-fault', '--timeout', '30s']

/** Runs `check` on the program of a client. */
async function judge({ name, program }: HttpClient, flags: readonly string[], args: readonly string[]) {
  const file = join(mkdtempSync(join(folder.path, 'run-')), 'report.json')
  const check = ['cli/main.ts', 'check', '--quiet', ...flags, '--report', `json=${file}`, '--']
  const { code, said } = await run('.', process.execPath, [...check, ...program, ...args])
  if (code !== 0 && code !== 1) throw new Error(`check of ${name}: ${said}`)
  console.log(`${[name, ...args, ...flags].join(' ')}: ${said.trimEnd()}`)
  return JSON.parse(readFileSync(file, 'utf8')) as ClientReport
}

/** Both set-ups of a client at a time. */
async function judgeBoth(client: HttpClient, flags: readonly string[]): Promise<Reports> {
  const [usual, fixed] = await Promise.all([judge(client, flags, []), judge(client, flags, ['fixed'])])
  return { usual, fixed }
}

async function judgeClient(client: HttpClient): Promise<Judged> {
  const version = client.version()
  if (version === undefined) {
    console.log(`${client.name}: not run, this machine lacks ${client.needs.replaceAll('`', '')}`)
    return { client, version }
  }
  const [scenarios, faults] = [await judgeBoth(client, []), await judgeBoth(client, everyFault)]
  return { client, version, scenarios, faults }
}

const judged: Judged[] = []
for (const client of clients) judged.push(await judgeClient(client))
writeFileSync(new URL('../../docs/what-http-clients-get-wrong.md', import.meta.url), renderPage(judged))
const bad = judged.filter(({ scenarios }) => scenarios && scenarios.fixed.outcome !== 'passed')
for (const { client } of bad) console.error(`${client.name}: the fixed set-up does not pass`)
process.exitCode = bad.length > 0 ? 1 : 0
