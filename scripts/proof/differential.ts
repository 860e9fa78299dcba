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
import { play, type Session, type Step, sessions } from '#proof/differential.ts'

/** Differences that are meant: why, the steps that are left out, and what a line becomes on both sides. */
const intended: readonly {
  readonly because: string
  readonly leftOut?: RegExp
  readonly without?: (line: string) => string
}[] = []

const [base, wanted = '100000', given] = process.argv.slice(2)
if (base === undefined || base.startsWith('-')) {
  console.error('Name the commit to compare with, such as: npm run proof differential HEAD~1')
  process.exit(2)
}
const mostSteps = 60
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

/** The first line that differs, as both give it; undefined: none. */
async function difference(given: Session): Promise<readonly [string, string] | undefined> {
  const { options, steps: drawn } = given
  const leftOut = ({ method, path }: Step) => intended.some((one) => one.leftOut?.test(`${method} ${path}`))
  const session = { options, steps: drawn.filter((step) => !leftOut(step)) }
  const [old, now] = [await play(before.createMock, session), await play(createMock, session)]
  steps += session.steps.length
  for (let at = 0; at < Math.max(old.length, now.length); at++) {
    const [one = 'nothing', other = 'nothing'] = [old[at], now[at]]
    if (compared(one) !== compared(other)) return [one, other]
  }
  return undefined
}

const { failed, counterexample } = await fc.check(
  fc.asyncProperty(sessions(mostSteps), async (session) => (await difference(session)) === undefined),
  { seed, numRuns: Math.ceil(Number(wanted) / (mostSteps * 0.75)), endOnFailure: false },
)
console.log(`differential: ${steps} steps, seed ${seed}, compared with ${base}`)
if (failed && counterexample) {
  const [session] = counterexample
  console.log(JSON.stringify(session, undefined, 2))
  console.log((await difference(session))?.join('\n'))
}
process.exitCode = failed ? 1 : 0
process.exit()
