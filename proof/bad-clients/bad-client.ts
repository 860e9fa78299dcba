/** A bad client: the reference client with one flaw, and the rule that it breaks. */

import type { QuirkId } from '#mocks/core/quirk-id.ts'
import type { ScenarioId } from '#mocks/scenarios/index.ts'
import type { ClientRuleId } from '#traffic/client-rule-id.ts'
import { createClient } from '../../examples/client/client.ts'
import { work } from '../../examples/client/work.ts'
import type { ClientConnection, ConnectionFlaw } from './flaws.ts'

/** A client as a function that does its work over a connection; it throws if it cannot. */
export type ClientProgram = (connection: ClientConnection) => Promise<void>

/** A client that violates one rule on purpose, to show that the client report notices it. */
export interface BadClient {
  /** Stable, unique, kebab-case. */
  readonly id: string
  readonly flaw: ConnectionFlaw
  /** True if it ends without an error, whatever happens. */
  readonly hidesErrors?: boolean
  /** The id of the rule that it violates. */
  readonly breaks: ClientRuleId
  /** The ids of rules that it also violates, in the same scenario. */
  readonly alsoBreaks: readonly ClientRuleId[]
  /** The ids of further rules that it violates in other scenarios; unset: none. */
  readonly elsewhere?: readonly ClientRuleId[]
  /** The ids of further rules that it violates if quirks change how long its runs take; unset: none. */
  readonly underQuirks?: readonly ClientRuleId[]
  /** The id of a quirk under which the service refuses its requests, so that it cannot finish its work either. */
  readonly refusedBy?: QuirkId
  /** The id of a scenario that exercises the rule. */
  readonly scenario: ScenarioId
}

/** A row of a table of bad clients: the flaw alone, or with other properties. */
export type BadClientRow =
  | ConnectionFlaw
  | Pick<BadClient, 'flaw' | 'hidesErrors' | 'refusedBy' | 'elsewhere' | 'underQuirks'>

/** Creates a row for a client that has a flaw and always ends without an error. */
export const errorHidingClientRow = (flaw: ConnectionFlaw) => ({ flaw, hidesErrors: true })

/** The rule that a client breaks, with others that it breaks as well behind it, and the scenario in which it does. */
type Name = ClientRuleId | `${ClientRuleId} (${ScenarioId})` | `${ClientRuleId} ${ClientRuleId}${string}`

/**
 * Creates the bad clients of a table. Its keys are such as `rule-id other-rule (scenario)`; its values have a client
 * for each id.
 */
export const badClientsOfTable = (
  table: {
    readonly [name in Name]?: Readonly<Record<string, BadClientRow>>
  },
): BadClient[] =>
  Object.entries(table).flatMap(([name, rows]) => {
    const [, ids = '', scenario] = /^([^(]+?)(?: \((.+)\))?$/.exec(name) ?? []
    const [breaks, ...alsoBreaks] = ids.split(' ') as [ClientRuleId, ...ClientRuleId[]]
    const common = { breaks, alsoBreaks, scenario: scenario as ScenarioId }
    return Object.entries(rows ?? {}).map(([id, row]) => ({
      ...(typeof row === 'function' ? { flaw: row } : row),
      ...{ id, ...common },
    }))
  })

const threeTasks = ['Say hello', 'Write a haiku', 'Sum up the week']

/**
 * Creates the reference client, which runs three tasks, with a flaw or without. It throws if the service refuses a run,
 * unless it hides errors.
 */
export function referenceClientWithFlaw(
  flaw?: ConnectionFlaw,
  hidesErrors = false,
  texts: readonly string[] = threeTasks,
): ClientProgram {
  return async (plain) => {
    const connection = { ...plain, ...flaw?.(plain) }
    // No request waits for ever here, so no real time counts: a slow machine makes no client give up.
    const fetch: ClientConnection['fetch'] = (url, { signal: _, ...init }) => connection.fetch(url, init)
    try {
      const isDone = await work(createClient({ ...connection, fetch }), texts, connection.say)
      if (!isDone) throw new Error('a run was rejected')
    } catch (error) {
      if (!hidesErrors) throw error
    }
  }
}
