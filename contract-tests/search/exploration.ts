/** One search from its settings to what it found. */
import { createdSecret } from '#traffic/curl.ts'
import type { Exchange } from '#traffic/exchange.ts'
import type { Target } from '../client/target.ts'
import { createdIn } from '../harness/operations.ts'
import type { SuiteRun } from '../harness/outcome.ts'
import type { Settings } from '../harness/terms.ts'
import type { ModelEvent } from '../model/index.ts'
import { Explorer } from './explore.ts'
import type { Finding } from './findings.ts'
import type { ExploreOptions, Progress } from './progress.ts'
import type { SavedHistory } from './saved.ts'

/** What a search came to. Durations in ms. */
export interface Exploration extends Pick<SuiteRun, 'created' | 'secrets' | 'left' | 'duration_ms' | 'gaps'> {
  readonly findings: readonly Finding[]
  /** Ids of the requirements that some answer bore on. */
  readonly tried: ReadonlySet<string>
  readonly steps: number
  readonly situations: number
  readonly exchanges: readonly Exchange[]
  readonly history: readonly ModelEvent[]
  /** Work Credits of the operator that were spent; those that a state arranged do not count. */
  readonly spent: number
  readonly unreachable?: string
  /** Why it ended before its time. */
  readonly ended_early?: string
}

/** Searches a service, or tries a saved history on it. */
export async function explore(
  settings: Settings,
  target: Target,
  options: ExploreOptions & { readonly saved?: SavedHistory | undefined },
  progress: (progress: Progress) => void = () => undefined,
  signal?: AbortSignal,
): Promise<Exploration> {
  const started = performance.now()
  const explorer = new Explorer(settings, target, options, signal)
  const { t, wire } = explorer
  if (options.saved) await explorer.retry(options.saved.steps, options.saved.requirement)
  else
    await explorer.run((state) => {
      progress(state)
      return false
    })
  const { steps, situations } = explorer.progress()
  return {
    findings: explorer.findings,
    tried: explorer.tried,
    steps,
    situations,
    exchanges: [...wire.exchanges.values()],
    history: wire.history,
    spent: t.budget.spent,
    created: createdIn(t.recorder.exchanges),
    secrets: t.secrets.map(({ secret }) => createdSecret(secret)),
    left: t.keys.map(({ id }) => id ?? 'a key whose id is unknown'),
    duration_ms: performance.now() - started,
    ...(explorer.endedEarly === undefined ? {} : { ended_early: explorer.endedEarly }),
    gaps: t.recorder.notWaited.size > 0 ? [`The search ended early: ${explorer.endedEarly}.`] : [],
    ...(t.run.unreachable === undefined ? {} : { unreachable: t.run.unreachable }),
  }
}
