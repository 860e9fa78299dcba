/** `npm run http-clients`: judges HTTP clients at their usual settings and mended, and writes the page about them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientReport } from '#client-tests/client-report.ts'
import { clients, type HttpClient } from './clients.ts'
import { type Judged, renderPage } from './page.ts'

const folder = mkdtempSync(join(tmpdir(), 'http-clients-'))

/** Runs `check` on the program of a client. */
function judge({ name, program }: HttpClient, ...args: readonly string[]): ClientReport {
  const file = join(folder, 'report.json')
  const check = ['cli/main.ts', 'check', '--quiet', '--report', `json=${file}`, '--']
  const { stdout, stderr, status } = spawnSync(process.execPath, [...check, ...program, ...args], {
    encoding: 'utf8',
  })
  if (status !== 0 && status !== 1) throw new Error(`check of ${name}: ${stderr}`)
  console.log(`${[name, ...args].join(' ')}: ${stdout.trimEnd()}`)
  return JSON.parse(readFileSync(file, 'utf8'))
}

function judgeBoth(client: HttpClient): Judged {
  const version = client.version()
  if (version !== undefined)
    return { client, version, reports: { usual: judge(client), mended: judge(client, 'mended') } }
  console.log(`${client.name}: not run, this machine lacks ${client.needs.replaceAll('`', '')}`)
  return { client, version, reports: undefined }
}

try {
  const judged = clients.map(judgeBoth)
  writeFileSync(new URL('../../docs/what-http-clients-get-wrong.md', import.meta.url), renderPage(judged))
  const bad = judged.filter(({ reports }) => reports && reports.mended.outcome !== 'passed')
  for (const { client } of bad) console.error(`${client.name}: the mended set-up does not pass`)
  process.exitCode = bad.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true })
}
