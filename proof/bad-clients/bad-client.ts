/** A bad client: the reference client with one flaw, and the rule that it breaks. */
import type { ScenarioId } from '#mocks/scenarios/index.ts'
import { createClient } from '../../examples/client/client.ts'
import { work } from '../../examples/client/work.ts'
import type { Connection, Flaw } from './flaws.ts'

/** Does its work over a connection; it throws where it cannot. */
export type Client = (connection: Connection) => Promise<void>

export interface BadClient {
  /** Stable, unique, kebab-case. */
  readonly id: string
  readonly flaw: Flaw
  /** Whether it ends as if nothing had gone wrong, whatever happens. */
  readonly hidesErrors?: boolean
  /** The id of the only rule that it breaks. */
  readonly breaks: string
  /** The id of a scenario that is about the rule. */
  readonly scenario: ScenarioId
}

/** The reference client, with a flaw or without: it runs three tasks. */
export function clientWith(flaw?: Flaw, hidesErrors = false): Client {
  return async (plain) => {
    const connection = { ...plain, ...flaw?.(plain) }
    try {
      await work(createClient(connection), ['Say hello', 'Write a haiku', 'Sum up the week'], connection.say)
    } catch (error) {
      if (!hidesErrors) throw error
    }
  }
}
