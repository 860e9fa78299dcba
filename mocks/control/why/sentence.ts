/** Says in a sentence which rule, state or fault decided an answer. */
import type { RecordedEntry, Stage } from '../../journal/stage.ts'
import type { Difference } from './changes.ts'
import type { FaultOrigin } from './reason.ts'

/** What a sentence is about. */
export interface Decided {
  readonly entry: RecordedEntry
  readonly fault: FaultOrigin | undefined
  readonly difference: Difference | undefined
  /** The rate window that refused the request; undefined: none did, or it is over. */
  readonly window: Window | undefined
}

/** A rate window of a credential. Times are ISO 8601, in mock time. */
export interface Window {
  readonly credential: string
  readonly limit: number
  readonly since: string
  readonly until: string
}

const origins = {
  rule: (rule: string | null) => `the fault rule ${rule}`,
  prefer: () => 'the Prefer header',
  magic: () => 'the text',
}

const byStage: Readonly<Record<Exclude<Stage, 'state'>, (decided: Decided) => string>> = {
  authentication: () => 'The request carries no valid credential of the kind that this route takes.',
  route: () => 'No operation has this method and path.',
  preference: () => 'The Prefer header asks for what the mock cannot do.',
  fault: ({ fault }) => `${capital(originOf(fault))} decided the answer before the organization was asked.`,
  rate_limit: ({ window, entry }) =>
    window
      ? `Too many requests: ${window.credential} had used ${window.limit} of ${window.limit} since ${timeOf(window.since)}, until ${timeOf(window.until)}; Retry-After: ${retryAfter(entry)}. The request did not count.`
      : `Too many requests: the key had used up its rate limit; Retry-After: ${retryAfter(entry)}. The request did not count.`,
  availability: () => 'The organization is set to be unavailable.',
  extended_set: () => 'The extended route set is switched off.',
  input: () => 'Body or query do not fit the contract.',
  text: () => 'The text asks for a fault that the mock cannot apply to this operation.',
  bug: () => 'The mock failed. This is a bug of the mock.',
}

const byError: Readonly<Record<string, (decided: Decided) => string>> = {
  no_credits: ({ difference }) =>
    difference
      ? `The organization had ${credits(difference.credits.before)}, and the request costs one.`
      : 'The organization had less than one credit.',
  busy: () => 'The agent was at work: the run is accepted and starts by itself when the agent is free.',
  not_found: () => 'The organization has nothing with this id.',
  invalid_request: () => 'The run of this task is waiting or in progress, so it cannot be run again yet.',
  unavailable: () => 'The generation failed, and its credit was returned.',
}

/** Returns the sentence. */
export function sentenceOf(decided: Decided): string {
  const { entry, fault } = decided
  if (entry.decided_by !== 'state') return byStage[entry.decided_by](decided)
  const plain =
    entry.error === null
      ? `The request was handled${effectOf(decided)}.`
      : (byError[entry.error]?.(decided) ?? 'The state of the organization decided the answer.')
  if (!fault) return plain
  if (entry.status === 0) return `${plain} Its answer was never sent: ${originOf(fault)} lost it.`
  return `${plain} ${capital(originOf(fault))} changed the answer or its delivery.`
}

const timeOf = (iso: string) => iso.slice(11, 19)

function retryAfter({ answerHeaders }: RecordedEntry): string {
  const found = Object.entries(answerHeaders).find(([name]) => name.toLowerCase() === 'retry-after')
  return found === undefined ? 'missing' : String(found[1])
}

function effectOf({ difference }: Decided): string {
  if (!difference) return ''
  const { before, after } = difference.credits
  if (after < before) return `: ${credits(before - after)} reserved`
  return difference.changes.length === 0 ? ', and changed nothing' : ''
}

function originOf(fault: FaultOrigin | undefined): string {
  if (!fault) return 'a fault'
  const what = fault.fault === null ? '' : ` (${fault.fault})`
  return origins[fault.origin](fault.rule) + what
}

const credits = (count: number) => (count === 1 ? 'one credit' : `${count} credits`)

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
