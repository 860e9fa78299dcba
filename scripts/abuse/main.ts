/**
 * `npm run abuse [requests|machine|soak]`: a mock under hostile requests, faults of the machine and load; all of them
 * unless told otherwise. `--seed S` draws the same again; `--requests N`, `--kills N`, `--minutes N`: how much. Prints
 * the figures of each, and exits with code 1 if anything was wrong.
 */
import { parseArgs } from 'node:util'
import { adviceOnUnknownWord } from '#contract/input/suggestion.ts'
import { testMachineFaults } from './machine.ts'
import { sendHostileRequests } from './requests.ts'
import { runSoakTest } from './soak.ts'

const number = { type: 'string' } as const
const { values, positionals } = parseArgs({
  options: { seed: number, requests: number, kills: number, minutes: number },
  allowPositionals: true,
})
const { seed = String(Date.now()), requests = '1000000', kills = '200', minutes = '30' } = values

const parts: Readonly<Record<string, () => Promise<{ readonly findings: readonly string[] }>>> = {
  requests: () => sendHostileRequests(seed, Number(requests)),
  machine: async () => ({ findings: await testMachineFaults(seed, Number(kills)) }),
  soak: () => runSoakTest(Number(minutes), seed),
}

const wanted = positionals.length > 0 ? positionals : Object.keys(parts)
const unknown = wanted.find((name) => !Object.hasOwn(parts, name))
if (unknown !== undefined) {
  console.error(`npm run abuse knows no "${unknown}"; ${adviceOnUnknownWord(unknown, Object.keys(parts))}`)
  process.exit(2)
}
console.log(`seed ${seed}`)
for (const name of wanted) {
  const started = performance.now()
  const { findings = [], ...figures } = (await parts[name]?.()) ?? {}
  const seconds = Math.round((performance.now() - started) / 1_000)
  console.log(`${name}: ${findings.length} findings, ${seconds} s`, figures)
  for (const finding of findings) console.error(`  ${finding}`)
  if (findings.length > 0) process.exitCode = 1
}
