/**
 * A worker draws cases one after the other and mutates those that reached new coverage. While one waits, others
 * continue.
 */
import type { RandomSampler } from '#contract/random.ts'
import type { Exchange } from '#traffic/exchange.ts'
import type { PendingStepWait } from '../execute/executor.ts'
import {
  arrangesFailure,
  type CallStep,
  creatingStepIdOf,
  type ProviderStateStep,
  type Step,
  type StepTenant,
} from '../step.ts'
import { auditSteps, awaitRunStepsOfCase } from './audit.ts'
import { waitCommands } from './commands/delayed.ts'
import { surroundWithEqualReads } from './commands/foreign-access.ts'
import { searchCommands, type WorkerKind } from './commands/index.ts'
import { createStepBuilder, type GeneratorContext, type StepBuilder } from './generator.ts'
import type { ResourceInventory } from './inventory.ts'

/** Rounds a count to 0, 1, 2 or a power of two. */
const bucketOf = (n: number) => (n < 3 ? n : 2 ** Math.floor(Math.log2(n)))

/** The coverage key of an answer: request, status, and a coarse form of the relevant state of the model. */
export function coverageKeyOf(call: CallStep, { status }: Exchange, inventory: ResourceInventory): string {
  const { operation, tenant, credential, target } = call
  const resource = inventory.resources.find(({ createdBy }) => createdBy === creatingStepIdOf(target))
  return [
    ...[operation, status, typeof credential, tenant],
    bucketOf(Math.min(inventory.credits.get(tenant) ?? -1, 8)),
    bucketOf(inventory.resourcesOf('task', tenant).length),
    bucketOf(inventory.workingKeys(tenant).length),
    bucketOf(inventory.notifications(tenant, true).length),
    bucketOf(inventory.foldersOfCase(tenant).length),
    resource ? bucketOf(resource.runs) : '-',
    resource && resource.createdInCase < inventory.case ? 'old' : 'new',
  ].join(' ')
}

/** Inputs and callbacks that all workers share. */
interface WorkerContext extends GeneratorContext {
  /** ms on the clock of the target. */
  now(): number
  /** A tag for the texts of a case. */
  newTag(): string
  /** Tears the states of a case down. */
  tearDown(): Promise<void>
  /** True if another worker needs the organization's balance unchanged. */
  isReserved(tenant: StepTenant, by: object): boolean
}

/** Probability of waiting for refunds at the end of a case with failures. */
const refundWaitProbability = 0.75
const failureStates = ['next_run_fails', 'next_creative_fails'] as const
/** Probability of auditing the other, untouched organization. */
const otherTenantProbability = 0.3
/** Maximum size of the corpus, and the probability of mutating a member. */
const corpusLimits = { maxSize: 30, mutationProbability: 0.4 } as const
/** New coverage keys above which a case enters the corpus. */
const minNewCoverage = 2

/** A worker of the search that draws cases one after the other, keeps those with new coverage and mutates them. */
export class CaseWorker {
  /** Earliest time of the next step, on the clock of the target. */
  dueAt = Number.NEGATIVE_INFINITY
  /** The current case. */
  case = 0
  tag = ''
  /** Number of coverage keys that this case was the first to reach. */
  newCoverage = 0
  /** True while a step must be performed again. */
  isStepPending = false
  /** Organization whose balance stays at 0 for a while. */
  reservedTenant: StepTenant | undefined
  readonly #context: WorkerContext
  readonly #kind: WorkerKind
  readonly #corpus: CaseProfile[] = []
  #steps: Step[] = []
  #caseIterator: AsyncGenerator<readonly Step[], void> | undefined
  /** Time of the last arranged failure in this case. */
  #failureArrangedAt: number | undefined

  constructor(context: WorkerContext, kind: WorkerKind) {
    this.#context = context
    this.#kind = kind
  }

  /** The next step; undefined if a command must be drawn first. */
  get step(): Step | undefined {
    return this.#steps[0]
  }

  /** Draws the next command once the last one is done. */
  async generateNext(): Promise<void> {
    if (this.#steps.length > 0) return
    this.#caseIterator ??= this.#generateCases()
    this.#steps = [...((await this.#caseIterator.next()).value ?? [])]
    this.reservedTenant = tenantWithoutCredits(this.#steps)
    if (this.#steps.some(arrangesFailure)) this.#failureArrangedAt = Number.POSITIVE_INFINITY
    else if (this.#failureArrangedAt === Number.POSITIVE_INFINITY)
      this.#failureArrangedAt = this.#context.now()
  }

  /** Records the wait that a step left behind. */
  recordPause(pause: PendingStepWait | undefined): void {
    this.dueAt = pause?.until ?? this.dueAt
    this.isStepPending = pause?.isPending === true
    if (!this.isStepPending) this.#steps.shift()
  }

  /** Abandons the case. */
  abandon(): void {
    this.#caseIterator = undefined
    this.#steps = []
    this.reservedTenant = undefined
    this.isStepPending = false
    this.dueAt = Number.NEGATIVE_INFINITY
  }

  async *#generateCases(): AsyncGenerator<readonly Step[], void> {
    for (;;) yield* this.#generateCase()
  }

  async *#generateCase(): AsyncGenerator<readonly Step[]> {
    const kind = this.#kind
    const { inventory, random, capabilities, newTag } = this.#context
    const varied = random.withProbability(corpusLimits.mutationProbability)
      ? random.pick(this.#corpus)
      : undefined
    const profile = drawCaseProfile(kind, random, varied)
    this.case = inventory.startCase()
    this.tag = newTag()
    this.newCoverage = 0
    this.#failureArrangedAt = undefined
    const [first = 'main', second = first] = kind.tenants.filter((one) => capabilities.tenants.includes(one))
    if (kind.spendsCredits && random.withProbability(0.6))
      yield this.#topUpCredits(this.#generatorOf(first, profile))
    for (let i = 0; i < profile.commandCount; i++) {
      const drawn = random.withProbability(profile.otherTenantProbability) ? second : first
      const tenant = [drawn, first, second].find((one) => this.#mayUse(one))
      if (!tenant) continue
      if (kind.spendsCredits && this.#needsCredits(tenant))
        yield this.#topUpCredits(this.#generatorOf(tenant, profile))
      const move = random.pickWeighted(searchCommands, ({ id }) => profile.weights.get(id) ?? 0)
      const generator = this.#generatorOf(tenant, profile, this.#excludedStatesAt(i, profile))
      const steps = move?.draw(generator) ?? []
      yield random.withProbability(profile.observationProbability)
        ? surroundWithEqualReads(generator, steps)
        : steps
    }
    yield* this.#auditCase(profile)
    if (this.newCoverage > minNewCoverage) this.#corpus.push(profile)
    if (this.#corpus.length > corpusLimits.maxSize) this.#corpus.shift()
  }

  #mayUse(tenant: StepTenant): boolean {
    return !this.#kind.spendsCredits || !this.#context.isReserved(tenant, this)
  }

  #topUpCredits(generator: StepBuilder): readonly Step[] {
    const credits = this.#context.random.pick([20, 20, 20, 8, 60, 150, 500, 70_000]) ?? 20
    return generator.setState('credits', { credits })
  }

  /** True if the balance should be topped up, unless it must still show late refunds. */
  #needsCredits(tenant: StepTenant): boolean {
    const { inventory, random, capabilities } = this.#context
    const isOpen = capabilities.latency.consistency > 0 && this.#failureArrangedAt !== undefined
    return !isOpen && (inventory.credits.get(tenant) ?? 0) < 3 && random.withProbability(0.7)
  }

  /** Ends a case: awaits its runs and reads everything it touched. */
  async *#auditCase(profile: CaseProfile): AsyncGenerator<readonly Step[]> {
    const { inventory, random, capabilities, now, tearDown } = this.#context
    const { runTimeout } = capabilities.latency
    const generators = capabilities.tenants.map((tenant) => this.#generatorOf(tenant, profile))
    for (const generator of generators) yield awaitRunStepsOfCase(generator)
    if (this.#kind.spendsCredits) await tearDown()
    const since = this.#failureArrangedAt === undefined ? runTimeout : now() - this.#failureArrangedAt
    const refunds = random.withProbability(refundWaitProbability)
      ? Math.max(0, runTimeout - Math.max(0, since))
      : 0
    yield generators.slice(0, 1).flatMap((generator) => generator.waitForConsistency(refunds))
    for (const generator of generators)
      if (inventory.wasUsedInCase(generator.tenant) || random.withProbability(otherTenantProbability))
        yield auditSteps(generator)
  }

  /**
   * Provider states that a command must not set. With delayed refunds, failures come early in a case and the balance is
   * not set after them.
   */
  #excludedStatesAt(
    i: number,
    { arrangesFailures, commandCount }: CaseProfile,
  ): readonly ProviderStateStep['state'][] {
    const isPrompt = this.#context.capabilities.latency.consistency === 0
    const hasFailed = this.#failureArrangedAt !== undefined
    return [
      ...(arrangesFailures && (isPrompt || i < commandCount * 0.6) ? [] : failureStates),
      ...(arrangesFailures && !isPrompt && hasFailed ? (['credits'] as const) : []),
    ]
  }

  #generatorOf(
    tenant: StepTenant,
    { maxRepetitions }: CaseProfile,
    excludedStates: readonly ProviderStateStep['state'][] = [],
  ): StepBuilder {
    const maySpendCredits = this.#kind.spendsCredits
    return createStepBuilder(this.#context, { tenant, maxRepetitions, maySpendCredits, excludedStates })
  }
}

/** The organization whose balance the steps set to 0 for a while. */
function tenantWithoutCredits(steps: readonly Step[]): StepTenant | undefined {
  const set = steps.find((step) => step.kind === 'state' && step.params.credits === 0)
  const rests = steps.some((step) => step.kind === 'wait' && step.ms >= 1_000)
  return set?.kind === 'state' && rests ? set.tenant : undefined
}

/** Random parameters of a case (swarm testing). */
interface CaseProfile {
  /** Weight of each command; 0 excludes it. */
  readonly weights: ReadonlyMap<string, number>
  /** Maximum number of repetitions within a command. */
  readonly maxRepetitions: number
  /** Number of commands. */
  readonly commandCount: number
  /** True if failures are arranged. */
  readonly arrangesFailures: boolean
  /** Probability that a command acts for the second organization. */
  readonly otherTenantProbability: number
  /** Probability that a command is put between two equal reads. */
  readonly observationProbability: number
}

/** Probability that a command is excluded from a case. */
const dropCommandProbability = 0.25
/** Probability that a mutated case keeps a command's weight. */
const keepWeightProbability = 0.85

/** Draws random parameters of a case, or mutates those of an earlier one. */
function drawCaseProfile(
  { main, subjects, spendsCredits }: WorkerKind,
  random: RandomSampler,
  varied?: CaseProfile,
): CaseProfile {
  const others = Array.from({ length: random.below(3) }, () => random.pick(subjects))
  const chosen = new Set([random.pick(main), ...others])
  const weights = [...new Set(subjects)].flatMap((moves) =>
    moves.map(({ id, weight }) => {
      const known =
        varied && random.withProbability(keepWeightProbability) ? varied.weights.get(id) : undefined
      const isOut = !chosen.has(moves) || random.withProbability(dropCommandProbability)
      const drawn = isOut ? 0 : weight * (0.3 + random.below(20) / 10)
      return [id, known ?? drawn] as const
    }),
  )
  const pauses = waitCommands.map(({ id, weight }) => [id, random.withProbability(0.5) ? 0 : weight] as const)
  return {
    weights: new Map([...weights, ...pauses]),
    maxRepetitions: random.pick([1, 2, 2, 3, 4, 6, 8]) ?? 2,
    commandCount: 2 + random.below(spendsCredits ? 9 : 7),
    arrangesFailures: random.withProbability(0.75),
    otherTenantProbability: random.pick([0, 0.1, 0.4]) ?? 0,
    observationProbability: random.pick([0, 0.3, 0.7]) ?? 0,
  }
}
