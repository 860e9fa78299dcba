/**
 * `npm run bench judge`: judges a recording of 100,000 requests of 500 organizations, read as a stream. Prints seconds
 * and the peak of memory; exits with code 1 above 10 s of processor time or 200 MB, or where something is found.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempDisposableSync, openSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMock } from '#mocks/app.ts'
import { referenceClientWithFlaw } from '#proof/bad-clients/bad-client.ts'
import { runClientToEnd, trialStartMs } from '#proof/bad-clients/try-client.ts'

const [requests, organizations] = [100_000, 500]
const bounds = { seconds: 10, megabytes: 200 }

/** The requests of one organization, as lines of a HAR. */
async function recordedOf(count: number): Promise<string[]> {
  const mock = createMock({ now: trialStartMs, credits: count, journal: count })
  mock.clock.freeze()
  while (mock.journal.har().log.entries.length < count)
    await runClientToEnd(referenceClientWithFlaw(), mock, () => undefined)
  return mock.journal
    .har()
    .log.entries.slice(0, count)
    .map((entry) => JSON.stringify(entry))
}

/** Writes a recording of many organizations: each with ids of its own, at once. */
async function writeRecording(file: string): Promise<void> {
  const lines = await recordedOf(requests / organizations)
  const out = openSync(file, 'w')
  let before = '{"log":{"entries":[\n'
  for (const line of lines)
    for (let i = 0; i < organizations; i++) {
      writeSync(out, before + line.replace(/_[a-z0-9]{16}\b/g, `$&${i}`))
      before = ',\n'
    }
  writeSync(out, ']}}')
  closeSync(out)
}

using folder = mkdtempDisposableSync(join(tmpdir(), 'judge-'))
const file = join(folder.path, 'recording.har')
await writeRecording(file)
const command = join(import.meta.dirname, '../../cli/main.ts')
const usage = 'process.on("exit", () => console.error(JSON.stringify(process.resourceUsage())))'
const argv = ['--import', `data:text/javascript,${usage}`, command, 'judge', file, '--quiet']
const started = performance.now()
const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
const seconds = (performance.now() - started) / 1_000
const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
const [work, megabytes] = [(userCPUTime + systemCPUTime) / 1e6, maxRSS / 1e3]
const size = Math.round(statSync(file).size / 1e6)
const taken = `${seconds.toFixed(1)} s, ${work.toFixed(1)} s of processor time`
console.log(`${requests} requests, ${size} MB: ${taken}, peak ${Math.round(megabytes)} MB`)
console.log(stdout.trim())
process.exitCode = status !== 0 || work > bounds.seconds || megabytes > bounds.megabytes ? 1 : 0
