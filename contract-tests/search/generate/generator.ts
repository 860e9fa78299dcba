/** Builds the steps of commands from the inventory and a random source, for one organization. */
import type { OperationId } from '#contract/operation.ts'
import type { RandomSampler } from '#contract/random.ts'
import type { SuiteSettings } from '../../harness/terms.ts'
import { consistencyMarginMs } from '../execute/env.ts'
import type { LatencyAssumption } from '../execute/latency-assumption.ts'
import type { RunDurationEstimate } from '../execute/pending-runs.ts'
import type { CallStep, ProviderStateStep, ResourceRef, Step, StepCredential, StepTenant } from '../step.ts'
import type { KnownResource, ResourceInventory } from './inventory.ts'

/** The capabilities that a generator may use: features of the service, credentials and provider states. */
export type GeneratorCapabilities = ReturnType<typeof capabilitiesOf>

/** The capabilities that the settings of a run allow a search to use. */
export function capabilitiesOf(
  settings: SuiteSettings,
  maxConcurrency: number,
  latency: LatencyAssumption,
  runTimes: Pick<RunDurationEstimate, 'typicalMs'>,
) {
  const { otherApiKey, sessionCookie, otherSessionCookie, statesUrl, extended } = settings
  const tenants: readonly StepTenant[] = otherApiKey ? ['main', 'other'] : ['main']
  return {
    ...{ tenants, maxConcurrency, latency, runTimes },
    /** True if keys can be created, which needs a session. */
    hasSession: (tenant: StepTenant) =>
      Boolean(tenant === 'main' ? sessionCookie : otherApiKey && otherSessionCookie),
    hasStates: Boolean(statesUrl),
    extended: extended !== 'off',
  }
}

/** Inputs that the generators of all workers share. */
export interface GeneratorContext {
  readonly inventory: ResourceInventory
  readonly random: RandomSampler
  readonly capabilities: GeneratorCapabilities
  /** The number of the next step. */
  nextStepId(): number
}

/** Organization and limits of a generator. */
interface GeneratorOptions {
  readonly tenant: StepTenant
  /** Maximum number of repetitions within a command. */
  readonly maxRepetitions: number
  /** True if paid requests may be drawn. */
  readonly maySpendCredits: boolean
  /** Provider states that must not be set now. */
  readonly excludedStates: readonly ProviderStateStep['state'][]
}

/** A builder with which commands draw steps for one organization. */
export type StepBuilder = ReturnType<typeof createStepBuilder>

/** A copy of the step builder that builds steps of another organization. */
export const builderForTenant = (tenant: StepTenant, gen: StepBuilder): StepBuilder =>
  createStepBuilder(gen, { ...gen, tenant })

/**
 * Creates the helpers with which commands draw steps for one organization. What they draw depends on `random`, on the
 * inventory and on the options alone.
 */
export function createStepBuilder(
  { inventory, random, capabilities, nextStepId }: GeneratorContext,
  options: GeneratorOptions,
) {
  const { tenant, maxRepetitions, maySpendCredits, excludedStates } = options
  /** True while changes are assumed to show at once. */
  const showsAtOnce = () => capabilities.latency.consistency === 0
  const wait = (ms: number): Step => ({ kind: 'wait', stepId: nextStepId(), ms })

  const call = (operation: OperationId, rest: Partial<CallStep> = {}): CallStep => {
    return { kind: 'call', stepId: nextStepId(), tenant, credential: key(), operation, ...rest }
  }

  /** The key of the operator, or now and then a created one. */
  const key = (): StepCredential => {
    const created = random.withProbability(0.2) ? random.pick(inventory.workingKeys(tenant)) : undefined
    return created ? { createdBy: created.createdBy } : 'key'
  }

  /** A wait until lists and balances show everything, and `ms` more; none where they show it at once. */
  const waitForConsistency = (ms = 0): Step[] => {
    const all = capabilities.latency.consistency + ms
    return all > 0 ? [wait(all + consistencyMarginMs)] : []
  }

  /** A read of the balance after the consistency wait. */
  const finalRead = (): Step[] => [...waitForConsistency(), call('whoami', { credential: 'key' })]

  return {
    ...{ inventory, random, capabilities, nextStepId },
    ...{ tenant, maxRepetitions, maySpendCredits, excludedStates },
    ...{ wait, call, waitForConsistency, finalRead },
    setState(state: ProviderStateStep['state'], params: ProviderStateStep['params'] = {}): Step[] {
      if (!capabilities.hasStates || excludedStates.includes(state)) return []
      return [{ kind: 'state', stepId: nextStepId(), tenant, state, params }]
    },
    awaitRun: (target: ResourceRef): Step => ({ kind: 'awaitRun', stepId: nextStepId(), tenant, target }),
    burst: (calls: readonly CallStep[]): Step => ({ kind: 'burst', stepId: nextStepId(), calls }),
    /** Adds a final read of the balance, mostly. */
    withFinalRead(steps: readonly Step[]): Step[] {
      return [...steps, ...(random.withProbability(showsAtOnce() ? 0.9 : 0.6) ? finalRead() : [])]
    },
    /** A read of the balance now and then, mostly where changes show at once. */
    sometimesReadBalance(): Step[] {
      if (!showsAtOnce() && random.withProbability(0.1)) return finalRead()
      return random.withProbability(showsAtOnce() ? 0.7 : 0.3) ? [call('whoami')] : []
    },
    /** The number of repetitions of something: at least one. */
    repetitions: (most: number) => 1 + random.below(Math.min(most, maxRepetitions)),
    /** A resource of a kind, mostly one that this case used. */
    pickResource(
      kind: KnownResource['kind'],
      fits: (one: KnownResource) => boolean = () => true,
    ): KnownResource | undefined {
      const all = inventory.resourcesOf(kind, tenant).filter((one) => !one.deleted && fits(one))
      const recent = all.filter((one) => one.lastUsedInCase === inventory.case)
      const isRecent = recent.length > 0 && random.withProbability(0.7)
      return random.pick(isRecent ? recent : all)
    },
  }
}

/** A command in the sense of property-based testing: a named, weighted generator of steps that belong together. */
export interface Command {
  readonly id: string
  readonly weight: number
  /** The steps; empty if the command is not applicable now. */
  draw(gen: StepBuilder): readonly Step[]
}

/** Declares a command of the search. `weight`: how often it is drawn, relative to the others. */
export const declareSearchCommand = (id: string, weight: number, draw: Command['draw']): Command => ({
  id,
  weight,
  draw,
})

/** An array of `length` drawn values. */
export const repeatDraw = <T>(length: number, draw: () => T): T[] => Array.from({ length }, draw)
