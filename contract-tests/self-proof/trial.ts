/** Judges the embedded mock with alterations: no socket, no waiting, the same each time. */
import type { Variant } from '#contract/route.ts'
import { type Alteration, createAltered } from '#mocks/alterations/alteration.ts'
import { judge } from '../judge.ts'
import { type Run, verdictsOf } from '../outcome.ts'
import type { Settings } from '../settings.ts'
import { embeddedMock } from '../targets/in-process.ts'

/** What one judgement came to. */
export interface Trial {
  readonly run: Run
  /** Ids of the requirements that were found broken, MUST and SHOULD. */
  readonly red: readonly string[]
  /** Faults of the suite or of the mock: they make the trial void. */
  readonly faults: readonly string[]
}

/** How the proof asks: everything may be judged, and the same is found each time. */
export const proofSettings: Omit<Settings, 'apiKey'> = {
  variant: 'auto',
  extended: 'on',
  maxCredits: 20,
  readOnly: false,
  probeRateLimit: 0,
  runTimeout: 60_000,
  timeout: 10_000,
  concurrency: 8,
  only: [],
  skip: [],
  levels: ['MUST', 'SHOULD', 'MAY'],
  userAgent: 'work-agent-contract proof',
  runId: 'proof',
}

const now = Date.UTC(2026, 2, 2, 9)

/** Judges a mock with alterations, which follows a variant. */
export async function tryAlterations(
  alterations: readonly Alteration[],
  variant: Variant,
  settings: Partial<Settings> = {},
): Promise<Trial> {
  const { mock, target, access } = embeddedMock({ variant, now }, (options) =>
    createAltered(alterations, options),
  )
  const run = await judge({ target, settings: { ...proofSettings, ...access, ...settings } })
  return trialOf(run, mock.bugs)
}

/** Reads a run as a trial. */
export function trialOf(run: Run, bugs: readonly unknown[]): Trial {
  return {
    run,
    red: verdictsOf(run, 'failed', 'warned').map(({ requirement }) => requirement.id),
    faults: [
      ...verdictsOf(run, 'harness_error').map(({ requirement, reason }) => `${requirement.id}: ${reason}`),
      ...bugs.map((bug) => `a bug of the mock: ${bug}`),
    ],
  }
}
