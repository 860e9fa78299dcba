/**
 * `npm run proof differential BASE [steps] [seed]`: compares the mock of this tree with that of an earlier commit,
 * step by step and byte for byte, over 100,000 drawn steps unless told otherwise. Prints the shortest session that
 * shows a difference and exits with code 1 if there is one that is not intended.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { createMock } from '#mocks/app.ts'
import { type RandomSession, runSession, type SessionStep, sessionArbitrary } from '#proof/differential.ts'

/**
 * Intended differences, each with its reason: steps that are left out, parts of lines that are removed on both sides,
 * or lines after which a session is no longer compared, since the client has seen other ids.
 */
const intended: readonly {
  readonly because: string
  readonly leftOut?: RegExp
  readonly without?: (line: string) => string
  readonly isParting?: (old: string, now: string) => boolean
}[] = [
  {
    because: 'Scenarios were added, in which gateways lose answers and headers are cut.',
    without: (line) => line.replace(/^(GET \/__admin\/scenarios |POST .*"title":"No scenario ).*$/s, '$1'),
  },
  {
    because: 'Pages of reports on clients are worded anew; their JSON is compared.',
    without: (line) => line.replace(/^(GET \/__admin\/report\?format=html ).*$/s, '$1'),
  },
  {
    because: 'With CORS, an answer that a connection fault takes away arrived, whole or empty.',
    isParting: (old, now) =>
      now.endsWith(' TypeError: fetch failed') && old.includes('"access-control-allow-credentials"'),
  },
]

const [base, wanted = '100000', given] = process.argv.slice(2)
if (base === undefined || base.startsWith('-')) {
  console.error('Name the commit to compare with, such as: npm run proof differential HEAD~1')
  process.exit(2)
}
const mostSteps = 60
/** Characters of a line that are shown around a difference. */
const shown = 600
const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
const root = join(import.meta.dirname, '../..')

const folder = mkdtempSync(join(tmpdir(), 'differential-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
execFileSync('sh', ['-c', `git archive ${JSON.stringify(base)} | tar -x -C "${folder}"`], { cwd: root })
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
const before = await import(pathToFileURL(join(folder, 'mocks/app.ts')).href)

// Real time would be in both, and differ.
Date.now = () => 1_772_366_400_000
performance.now = () => 0

let steps = 0
const compared = (line: string) => intended.reduce((text, { without }) => without?.(text) ?? text, line)

/** The first line that differs, from both mocks; undefined if there is none. */
async function difference(given: RandomSession): Promise<readonly [string, string] | undefined> {
  const { options, steps: drawn } = given
  const leftOut = ({ method, path }: SessionStep) =>
    intended.some((one) => one.leftOut?.test(`${method} ${path}`))
  const session = { options, steps: drawn.filter((step) => !leftOut(step)) }
  const [old, now] = [await runSession(before.createMock, session), await runSession(createMock, session)]
  steps += session.steps.length
  for (let at = 0; at < Math.max(old.length, now.length); at++) {
    const [one = 'nothing', other = 'nothing'] = [old[at], now[at]]
    if (intended.some(({ isParting }) => isParting?.(one, other))) return undefined
    if (compared(one) !== compared(other)) return [one, other]
  }
  return undefined
}

const { failed, counterexample } = await fc.check(
  fc.asyncProperty(sessionArbitrary(mostSteps), async (session) => (await difference(session)) === undefined),
  { seed, numRuns: Math.ceil(Number(wanted) / (mostSteps * 0.75)), endOnFailure: false },
)
console.log(`differential: ${steps} steps, seed ${seed}, compared with ${base}`)
if (failed && counterexample) {
  const [session] = counterexample
  console.log(JSON.stringify(session, undefined, 2))
  const [one = '', other = ''] = (await difference(session)) ?? []
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - shown / 2)
  for (const line of [one, other]) console.log(`… ${line.slice(from, from + shown)} …`)
}
process.exitCode = failed ? 1 : 0
process.exit()
