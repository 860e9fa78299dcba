/** A bad client: the reference client with one flaw, and the rule that it breaks. */

import type { QuirkId } from '#mocks/core/quirk-id.ts'
import type { ScenarioId } from '#mocks/scenarios/index.ts'
import type { ClientRuleId } from '#traffic/client-rule-id.ts'
import { createClient } from '../../examples/client/client.ts'
import { work } from '../../examples/client/work.ts'
import type { ClientConnection, ConnectionFlaw } from './flaws.ts'

/** A client that does its work over a connection; it throws where it cannot. */
export type ClientProgram = (connection: ClientConnection) => Promise<void>

/** A client that breaks one rule on purpose. */
export interface BadClient {
  /** Stable, unique, kebab-case. */
  readonly id: string
  readonly flaw: ConnectionFlaw
  /** True if it ends as if nothing had gone wrong, whatever happens. */
  readonly hidesErrors?: boolean
  /** The rule that it breaks. */
  readonly breaks: ClientRuleId
  /** The ids of rules that it breaks as well, in the same scenario. */
  readonly alsoBreaks: readonly ClientRuleId[]
  /** The ids of further rules that it breaks in other scenarios; unset: none. */
  readonly elsewhere?: readonly ClientRuleId[]
  /** The ids of further rules that it breaks where quirks change how long its runs take; unset: none. */
  readonly underQuirks?: readonly ClientRuleId[]
  /** The id of a quirk that refuses what it does, so that it cannot finish its work either. */
  readonly refusedBy?: QuirkId
  /** The id of a scenario that is about the rule. */
  readonly scenario: ScenarioId
}

/** A row of a table of bad clients: the flaw alone, or with other properties. */
export type BadClientRow =
  | ConnectionFlaw
  | Pick<BadClient, 'flaw' | 'hidesErrors' | 'refusedBy' | 'elsewhere' | 'underQuirks'>

/** A row for a client with a flaw that ends as if nothing had gone wrong. */
export const errorHidingClientRow = (flaw: ConnectionFlaw) => ({ flaw, hidesErrors: true })

/** The rule that a client breaks, with others that it breaks as well behind it, and the scenario in which it does. */
type Name = ClientRuleId | `${ClientRuleId} (${ScenarioId})` | `${ClientRuleId} ${ClientRuleId}${string}`

/** The bad clients of a table: keys such as `rule-id other-rule (scenario)`, then the ids of the clients. */
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
 * The reference client, which runs three tasks, with a flaw or without. It throws if the service refuses a run, unless it
 * hides errors.
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
