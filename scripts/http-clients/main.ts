/** `npm run generate http-clients`: measures the set-ups of HTTP clients, and writes the table of them. Outside CI. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureHttpClientSetUp, measureTimeLimitSeconds } from './measure.ts'
import { type HttpClientRow, longestWaitSeconds, paysTwice, renderHttpClientsPage } from './page.ts'
import { RawServer } from './raw-server.ts'
import {
  applyFix,
  type HttpClientSetUp,
  httpClientNpmPackages,
  httpClientSetUps,
  languageCommands,
} from './set-ups.ts'

/** Set-ups at a time: each waits most of the time. */
const atOnce = 12

using folder = mkdtempDisposableSync(join(tmpdir(), 'http-clients-'))
cpSync('examples/http-clients/set-ups', folder.path, { recursive: true })

/** The output of a command; empty if it is not here or fails. */
function printed([command = '', ...args]: readonly string[]): string {
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOCACHE: join(folder.path, 'go'),
  }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder.path, encoding: 'utf8', env })
  if (status !== 0) console.error(`${command} ${args.join(' ')}: ${stderr ?? 'is not here'}`)
  return status === 0 ? stdout.trim() : ''
}

const packages = Object.entries(httpClientNpmPackages).map(([name, version]) => `${name}@${version}`)
printed([
  'npm',
  'install',
  '--silent',
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--prefix',
  '.',
  ...packages,
])
for (const { compile } of Object.values(languageCommands)) if (compile.length > 0) printed(compile)

/** The version of upstream, without what Debian adds. */
function version({ source }: HttpClientSetUp): string {
  if ('npm' in source)
    return source.npm === 'node' ? process.versions.node : (httpClientNpmPackages[source.npm] ?? '')
  const [, whole = ''] = printed(['dpkg-query', '--show', source.debian]).split('\t')
  return whole.replace(/^\d+:|[+~].*/g, '').replace(/-[^-]*$/, '')
}

const server = new RawServer()
const base = await server.listen()

async function rowOf(setUp: HttpClientSetUp): Promise<HttpClientRow | undefined> {
  const limit = measureTimeLimitSeconds(setUp, server, base, longestWaitSeconds * 1_000, folder.path)
  const measured = await measureHttpClientSetUp(setUp, server, base, folder.path)
  const withFix =
    setUp.fix === undefined
      ? undefined
      : await measureHttpClientSetUp(applyFix(setUp), server, base, folder.path)
  const row = measured && {
    setUp,
    version: version(setUp),
    measured,
    timeLimit: await limit,
    ...(withFix && { withFix }),
  }
  console.log(
    row ? JSON.stringify(row) : `${setUp.language} ${setUp.library}: not run, its program does not answer`,
  )
  return row
}

const rows: (HttpClientRow | undefined)[] = Array(httpClientSetUps.length).fill(undefined)
const queue = httpClientSetUps.entries()
const worker = async () => {
  for (const [at, setUp] of queue) rows[at] = await rowOf(setUp)
}
await Promise.all(Array.from({ length: atOnce }, worker))
server.close()

const whole = rows.filter((row) => row !== undefined)
const system =
  /^PRETTY_NAME="([^(]*\d+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform
writeFileSync(new URL('../../docs/http-clients.md', import.meta.url), renderHttpClientsPage(whole, system))
const unfixed = whole.filter(({ withFix }) => withFix && paysTwice(withFix))
for (const { setUp } of unfixed) console.error(`${setUp.language} ${setUp.library}: the fix does not help`)
process.exitCode = unfixed.length > 0 || whole.length < httpClientSetUps.length ? 1 : 0
