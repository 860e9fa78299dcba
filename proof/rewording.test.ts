/** Nothing is decided by the wording of a message: every verdict, exit code and filter survives other words. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

interface Printed {
  readonly verdicts: unknown
  readonly marked: number
  readonly of: number
}

/** Prints verdicts in a process of its own, whose modules are loaded with these flags. */
async function verdictsWith(...flags: string[]): Promise<Printed> {
  const args = [...flags, './proof/testing/verdicts.ts']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 })
  return JSON.parse(stdout)
}

test('with every sentence of the suite, the checker and the mock reworded, all verdicts, exit codes and filters are the same', async () => {
  const [usual, reworded] = await Promise.all([
    verdictsWith(),
    verdictsWith('--import', './proof/testing/reword.ts'),
  ])
  expect(usual.marked).toBe(0)
  expect(reworded.marked).toBeGreaterThan(0.8 * reworded.of)
  expect(reworded.verdicts).toEqual(usual.verdicts)
}, 120_000)
