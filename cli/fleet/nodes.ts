/** The mocks of a fleet, as a file names them. */
import { z } from 'zod'
import { fields, problemOf } from '#contract/input/checked.ts'
import { readSlots, type Slots } from '#mocks/config/slots.ts'
import { readJson } from '../files.ts'
import { UsageError } from '../usage-error.ts'

/** One mock: where it listens, and its slots. */
export interface Node {
  readonly address: string
  readonly slots: Slots
}

/** A host and a port; an IPv6 address in brackets. */
export const addressText = z
  .string()
  .regex(/^(?:[\w.-]+|\[[\da-f:.]+\]):\d{1,5}$/i, 'takes a host and a port, such as 10.0.0.1:4402')

const slots = z.string().transform((text, context): Slots => {
  const read = readSlots(text)
  if (read) return read
  context.addIssue({ code: 'custom', message: 'takes slots and their number in all, such as 0-511/1024' })
  return z.NEVER
})

const nodes = z.array(fields({ address: addressText, slots })).min(1, 'takes at least one mock')

/** Reads the mocks in a file. @throws UsageError unless each slot belongs to exactly one of them. */
export function readNodes(file: string): readonly Node[] {
  const result = nodes.safeParse(readJson(file))
  if (!result.success) throw new UsageError(`${file}: ${problemOf(result.error.issues, 'the file')}`)
  const problem = problemOfSlots(result.data)
  if (problem !== undefined) throw new UsageError(`${file}: ${problem}`)
  return result.data
}

function problemOfSlots(all: readonly Node[]): string | undefined {
  const total = all[0]?.slots.total ?? 0
  const other = all.find(({ slots }) => slots.total !== total)
  if (other) return `${other.address} counts ${other.slots.total} slots, and ${all[0]?.address} ${total}`
  const owners = new Map<number, string>()
  for (const { address, slots } of all)
    for (const [first, last] of slots.ranges)
      for (let slot = first; slot <= last; slot++) {
        const owner = owners.get(slot)
        if (owner !== undefined) return `slot ${slot} belongs to ${owner} and to ${address}`
        owners.set(slot, address)
      }
  for (let slot = 0; slot < total; slot++) if (!owners.has(slot)) return `slot ${slot} belongs to no mock`
  return undefined
}
