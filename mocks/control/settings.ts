/**
 * Changes options while the mock runs, of one organization or of all, until a reset; what they have stays. Starts scenarios,
 * and resets part by part.
 */
import { z } from 'zod'
import {
  createOneOfSchema,
  createStrictObjectSchema,
  describeUnknownName,
  endWithFullStop,
  parseOrThrow,
} from '#contract/input/checked.ts'
import { variants } from '#contract/route.ts'
import { type MockOptionsInput, mockOptionsSchema, type OptionProblem } from '../config/options.ts'
import { ControlRefusal } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { FaultRuleDraft } from '../faults/rule.ts'
import type { MockParts } from '../pipeline/service.ts'
import {
  findScenario,
  parseOptionsWithScenario,
  type Scenario,
  type ScenarioId,
  scenarios,
} from '../scenarios/index.ts'
import { keyWordOfOption } from '../scenarios/key-options.ts'
import type { Tenant } from '../tenants/tenant.ts'
import type { Tenants } from '../tenants/tenants.ts'

/** Options that only say how a mock or an organization starts, each with what has the same effect later. */
const ofTheStart = {
  credits: 'POST /__admin/credits sets them, and setCredits() in a test',
  busy: 'POST /__admin/states sets up agent_busy',
  force: 'POST /__admin/faults adds a rule, and faults.add() in a test',
  fault: 'POST /__admin/faults adds a rule, and faults.add() in a test',
  now: 'PUT /__admin/clock sets the time, and clock.set() in a test',
  scenario: 'POST /__admin/scenarios/:id/start starts one, and scenarios.start() in a test',
  past: 'start the mock with another',
  seed: 'start the mock with another',
  keysOnly: 'start the mock with others',
  slots: 'start the mock with others',
  journal: 'start the mock with another',
} as const satisfies Partial<Record<keyof MockOptionsInput, string>>

const ofTheMock: readonly (keyof MockOptionsInput)[] = ['reasonHeader', 'cors', 'organizations']

/** The options that control calls can change while a mock runs. */
export type ChangeableOptions = Omit<MockOptionsInput, keyof typeof ofTheStart>

const names = Object.keys(mockOptionsSchema.shape)

/** Names of the options that control calls can change while a mock runs. */
export const changeableOptionNames = names.filter(
  (name) => !Object.hasOwn(ofTheStart, name),
) as (keyof ChangeableOptions)[]

const value = z.union([z.string(), z.number(), z.boolean()], 'takes a text, a number, true or false')

/** Fields of a change, with any values: `parseOptionsWithScenario` parses them. */
const shape = {
  ...Object.fromEntries(changeableOptionNames.map((option) => [option, value.optional()])),
  variant: z.enum(variants, 'takes first or second').optional(),
  extended: z.boolean('takes true or false').optional(),
  org_id: z.union([z.string(), z.number()]).optional(),
}

/** Schema of a control call that changes options while a mock runs. */
export const optionChangeSchema = z.strictObject(shape, {
  error(issue) {
    if (issue.code !== 'unrecognized_keys') return undefined
    const [name = ''] = issue.keys as string[]
    const instead = Object.hasOwn(ofTheStart, name) ? Reflect.get(ofTheStart, name) : undefined
    return instead
      ? `does not take "${name}", which only says how a mock starts; ${instead}`
      : describeUnknownName(name, Object.keys(shape))
  },
})

const chaosRule = 'chaos'

/**
 * Changes some options of an organization, or of all; the others stay. `seed`: decides which requests `chaos` affects.
 * @throws ControlRefusal, without any change, for an option that is invalid or cannot be changed here.
 */
export function changeOptions(
  service: MockParts,
  org: Organization | undefined,
  given: ChangeableOptions,
  seed?: string,
): void {
  const { tenants } = service
  const name = org && tenants.nameOf(org)
  if (name !== undefined)
    for (const option of Object.keys(given) as (keyof MockOptionsInput)[]) refuse(tenants, name, option)
  const own = (name === undefined ? undefined : tenants.ownOptions(name)) ?? tenants.settings.options
  const settings = merged(own, given)
  const { variant, extended, chaos, ...rest } = given
  const switched = { ...(variant !== undefined && { variant }), ...(extended !== undefined && { extended }) }
  if (name === undefined) tenants.changeAll(settings, (theirs) => merged(theirs.options, given))
  else if (Object.values(rest).some((value) => value !== undefined)) tenants.change(name, merged(own, rest))
  // These two are part of the state, and take precedence over the options of a key.
  for (const one of org ? [org] : tenants.organizations()) one.override(switched)
  if (chaos !== undefined) changeChaos(service, org?.id, settings.faults, seed)
}

/** @throws ControlRefusal for an option that an organization cannot change. */
function refuse(tenants: Tenants, name: string, option: keyof MockOptionsInput): void {
  if (ofTheMock.includes(option))
    throw new ControlRefusal(
      400,
      `${option}: is an option of the whole mock; change it without an organization.`,
    )
  const word = keyWordOfOption(option)
  if (word !== undefined && (name + tenants.createdWith(name)).includes(`.${word}=`))
    throw new ControlRefusal(
      409,
      `The key of this organization sets its ${option}; use another organization.`,
    )
}

/** Merges changes into options. @throws ControlRefusal for an invalid option. */
function merged(options: MockOptionsInput, given: ChangeableOptions) {
  const settings = parseOptionsWithScenario({ ...options, ...given })
  if (!Array.isArray(settings)) return settings
  const [{ option, problem }] = settings as [OptionProblem]
  throw new ControlRefusal(400, endWithFullStop(`${option}: ${problem}`))
}

function changeChaos(
  { faults }: MockParts,
  org_id: string | undefined,
  rules: readonly FaultRuleDraft[],
  seed: string | undefined,
): void {
  for (const { id, org_id: owner } of faults.list(org_id))
    if (id === chaosRule && (org_id === undefined || owner === org_id)) faults.remove(id, owner ?? undefined)
  // A rule that never fires turns the mock's chaos off for the organization.
  const isOn = org_id !== undefined && faults.list(org_id).some(({ id }) => id === chaosRule)
  for (const rule of rules)
    if (rule.id === chaosRule && (rule.rate !== 0 || isOn))
      faults.add({ ...rule, ...(seed !== undefined && { seed }), org_id })
}

/**
 * Changes options as `changeOptions` does, for a test in the same process. @throws TypeError for an option that is
 * invalid or cannot be changed.
 */
export function changeOptionsForTest(
  service: MockParts,
  org: Organization | undefined,
  options: ChangeableOptions,
): void {
  const given = parseOrThrow('configure', optionChangeSchema.omit({ org_id: true }), options)
  try {
    changeOptions(service, org, given)
  } catch (error) {
    if (error instanceof ControlRefusal) throw new TypeError(`configure: ${error.message}`)
    throw error
  }
}

const scenarioId = createOneOfSchema(scenarios.map((one) => one.id))
const startInput = createStrictObjectSchema({ seed: z.union([z.string(), z.number()]).optional() })

/** The methods by which tests list and start scenarios. */
export type ScenarioControls = Readonly<ReturnType<typeof createScenarioControls>>

/** Creates the scenario methods of a mock, or of the organization that `organization` returns at each call. */
export function createScenarioControls(service: MockParts, organization: () => Organization | undefined) {
  return {
    /** Returns all scenarios. */
    list: (): readonly Scenario<ScenarioId>[] => scenarios,
    /**
     * Resets and starts a scenario, with its own seed or another one; `reset()` ends it. The id of an organization
     * changes with the seed. @throws TypeError for an unknown id.
     */
    start(id: ScenarioId, start: { readonly seed?: string | number } = {}): void {
      parseOrThrow('scenarios.start', scenarioId, id)
      const { seed } = parseOrThrow('scenarios.start', startInput, start)
      const scenario = findScenario(id)
      if (scenario) startScenario(service, scenario, organization(), seed)
    },
  }
}

/**
 * Resets the mock, or an organization, and starts a scenario. The options of the scenario override those that the
 * mock was created with, until a reset. `seed` replaces that of the scenario. Returns the organization.
 */
export function startScenario(
  service: MockParts,
  scenario: Scenario,
  org: Organization | undefined,
  seed: string | number | undefined,
): Tenant | undefined {
  const { tenants, faults, journal, clock, options } = service
  const settings = parseOptionsWithScenario({
    ...options,
    ...scenario.options,
    ...(seed === undefined ? {} : { seed }),
    scenario: scenario.id,
  })
  if (Array.isArray(settings)) throw new Error(`The scenario "${scenario.id}" has invalid options.`)
  const starts = scenario.options.now === undefined ? undefined : settings.now
  const name = org && tenants.nameOf(org)
  resetParts(service, resettableParts, org)
  tenants.start(settings, name)
  const started = name === undefined ? undefined : tenants.tenant(name)
  faults.start(settings.seed, (started?.settings ?? settings).faults, started?.org.id)
  if (started) journal.restart(started.org.id)
  if (starts !== undefined) (started?.org.clock ?? clock).set(starts)
  return started
}

/**
 * The parts of a mock that can be reset separately: organizations and keys; fault rules and their counts; the journal;
 * clocks.
 */
export const resettableParts = ['state', 'faults', 'journal', 'clock'] as const
/** The name of a part of a mock that can be reset separately, such as its journal. */
export type ResettablePart = (typeof resettableParts)[number]

const resets: Readonly<Record<ResettablePart, (service: MockParts, org: Organization | undefined) => void>> =
  {
    state: (service, org) => service.tenants.reset(org),
    faults: (service, org) => service.faults.reset(org?.id),
    journal: (service, org) => service.journal.clear(org?.id),
    clock(service, org) {
      if (org) return org.clock.reset()
      service.clock.reset()
      for (const clock of service.tenants.clocks()) clock.reset()
    },
  }

/** Resets parts, such as the journal, of one organization or of the whole mock. */
export function resetParts(service: MockParts, wanted: readonly ResettablePart[], org?: Organization): void {
  for (const part of resettableParts.toReversed()) if (wanted.includes(part)) resets[part](service, org)
  // If nothing refers to earlier requests any more, their numbering restarts.
  if (!wanted.includes('state') || !wanted.includes('journal')) return
  service.journal.restart(org?.id)
  service.tenants.forgetReplaced(org?.id)
}
