/** Nothing is decided by the wording of a message: every verdict, exit code and filter survives other words. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { collectVerdicts } from './testing/verdicts.ts'

type Decided = Awaited<ReturnType<typeof collectVerdicts>>

/** Every verdict, from a process whose modules are reworded as they are loaded. */
async function collectVerdictsReworded(): Promise<Decided> {
  const script = `import { collectVerdicts } from './proof/testing/verdicts.ts'
    process.stdout.write(JSON.stringify(await collectVerdicts()))`
  const args = ['--import', './proof/testing/reword.ts', '--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 })
  return JSON.parse(stdout)
}

test('with every sentence of the suite, the checker and the mock reworded, all verdicts, exit codes and filters are the same', async () => {
  const reworded = await collectVerdictsReworded()
  const usual = JSON.parse(JSON.stringify(await collectVerdicts()))
  expect(usual.marked).toBe(0)
  expect(reworded.marked).toBeGreaterThan(0.8 * reworded.reasons)
  expect(reworded.verdicts).toEqual(usual.verdicts)
}, 600_000)
