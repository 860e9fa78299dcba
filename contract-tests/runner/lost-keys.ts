/**
 * Detects a key that stops working although nobody deleted it: when others are created, or when it was not used for a
 * while.
 */
import { nameCreatedKeySecret } from '#traffic/curl.ts'
import { briefAnswer } from '#traffic/exchange.ts'
import { rethrowUnlessNotExercised, Violation } from '../client/check-errors.ts'
import type { SentRequest } from '../client/recorder.ts'
import type { Target } from '../client/target.ts'
import { createKeyWithClient, isKeyDeletedByOthers } from '../fixtures/key-use.ts'
import { createKey } from '../fixtures/keys.ts'
import { bearerHeader, TestContext } from '../harness/context.ts'
import type { SuiteRun } from '../harness/outcome.ts'
import { SuiteRunState, undeletedKeyIds } from '../harness/run-state.ts'
import type { SuiteSettings } from '../harness/terms.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import { cleanUp } from './clean-up.ts'
import { resultOfError } from './results.ts'

/**
 * Requirements on keys of which any violation explains why a key stopped working, which is then no violation of its
 * own.
 */
export const requirementsThatExplainLostKey: readonly RequirementId[] = [
  ...(['KEY-ONLY-SECRET', 'KEY-WORKS', 'KEY-CREDITS', 'KEY-WHOLE'] as const),
  ...(['KEY-LISTED', 'KEY-NAME', 'KEY-CREATED-ONCE', 'KEY-PREFIX', 'KEY-LAST-USED'] as const),
  ...(['KEY-DELETED-DEAD', 'KEY-DELETED-UNLISTED', 'KEY-DELETE-ONE', 'KEY-NAMESAKE'] as const),
  ...(['KEY-DELETE-OK', 'KEY-SECRET-ONCE', 'KEY-ODD-ID', 'KEY-DELETE-AGAIN'] as const),
  ...(['KEY-DELETED-PROMPT', 'KEY-UNIQUE', 'KEY-ID-UNIQUE', 'KEY-STAYS-DEAD'] as const),
]

/** Keys that are created to see whether an earlier one survives. */
const most = 12

/**
 * Tests whether a key that nobody deleted stopped working; returns the violation, or undefined if there is none or if
 * another client has deleted the key.
 */
export async function findLostKeyViolation(t: TestContext): Promise<Violation | undefined> {
  if (!t.settings.sessionCookie) return undefined
  if (t.recorder.revoked.size > 0) t.recorder.resume()
  else if (!(await t.run.objections()).some(({ rule }) => rule === 'living-key-works')) return undefined
  const violation = await lostTwice(t)
  return (await isKeyDeletedByOthers(t, violation?.exchanges.at(-1))) ? undefined : violation
}

/**
 * Tests after a search whether a key of the operator was refused for good; if so, returns the run with KEY-WORKS
 * failed.
 */
export async function recheckKeyAfterSearch(
  run: SuiteRun,
  settings: SuiteSettings,
  target: Target,
): Promise<SuiteRun> {
  if (!settings.sessionCookie) return run
  const t = new TestContext({ settings, target, run: new SuiteRunState(settings) })
  const violation = await lostTwice(t).catch(rethrowUnlessNotExercised)
  await cleanUp(t)
  const { exchanges } = t.recorder
  const judged = ({ requirement, outcome }: SuiteRun['results'][number]) =>
    requirement.id === 'KEY-WORKS' && outcome !== 'failed' && violation
  return {
    ...run,
    requests: run.requests + exchanges.length,
    results: run.results.map((one) => (judged(one) ? resultOfError(one.requirement, violation) : one)),
    secrets: [...run.secrets, ...t.secrets.map(({ secret }) => nameCreatedKeySecret(secret))],
    left: [...run.left, ...undeletedKeyIds(t.keys)],
  }
}

/** The violation if a key is lost twice, since nobody else deletes one at the right moment twice. */
const lostTwice = async (t: TestContext) => (await lostKey(t)) && lostKey(t)

async function lostKey(t: TestContext): Promise<Violation | undefined> {
  const { key, client } = await createKeyWithClient(t)
  for (let count = 1; count <= most; count++) {
    const { exchange } = await createKey(t)
    const answer = await client.call('whoami')
    if (answer.status !== 401) continue
    const actual = `${briefAnswer(answer)} once ${count} more ${count === 1 ? 'was' : 'were'} created`
    return new Violation('a key that works until it is deleted', actual, key.exchange, exchange, answer)
  }
  const idle = idleTime(t)
  if (idle > longest) return undefined
  await t.target.sleep(idle)
  const answer = await client.call('whoami')
  if (answer.status !== 401) return undefined
  const actual = `${briefAnswer(answer)} after ${(idle / 1_000).toFixed(1)} s without a request`
  return new Violation('a key that works until it is deleted', actual, key.exchange, answer)
}

/** Longest disuse that is waited for, ms. */
const longest = 15_000

/** The shortest time for which a created key was not used before it was refused, ms; infinite if none was refused. */
function idleTime({ all, recorder }: TestContext): number {
  const times = all.flatMap(({ keys }) =>
    keys.map(({ secret }) => {
      const isUse = ({ exchange }: SentRequest) =>
        exchange?.requestHeaders.authorization === bearerHeader(secret).authorization
      const uses = recorder.sent.filter(isUse)
      const refused = uses.findIndex(({ exchange }) => exchange?.status === 401)
      const [last, first] = [uses[refused - 1]?.received?.ms, uses[refused]?.sent.ms]
      return last === undefined || first === undefined ? Infinity : first - last
    }),
  )
  return Math.min(...times)
}
