/** A state as a link or a file: whoever opens it, on this mock or another, has the same organization. */

import type { MockOptionsInput } from '../config/options.ts'
import type { OrganizationState } from '../core/resources.ts'
import type { RecordedEntry } from '../journal/entry.ts'
import type { MockParts } from '../pipeline/service.ts'
import { parseOptionsWithScenario } from '../scenarios/index.ts'
import { parseOrganizationSettings } from '../scenarios/key-options.ts'
import { initialStateOf } from '../tenants/tenant.ts'
import { type HistoricalState, stateBeforeRequest } from './history.ts'
import {
  InvalidSnapshot,
  optionsToJson,
  type Snapshot,
  type TenantState,
  tenantCreationForSnapshot,
} from './snapshot.ts'

type OneSnapshot = Extract<Snapshot, { of: 'organization' }>

/** The longest URL fragment that chat and mail programs keep whole, characters. */
export const maxUrlFragmentLength = 6_000

/**
 * Takes a snapshot of one organization that can be restored in any mock: it includes its clock, its settings and the
 * fault rules that applied to it.
 */
export function takePortableSnapshot({ tenants }: MockParts, moment: HistoricalState): OneSnapshot {
  const { org, state, conditions, surprises, rules, requests } = moment
  const name = tenants.nameById(org.id) ?? ''
  return structuredClone({
    of: 'organization',
    version: 1,
    organization: {
      name,
      ...tenantCreationForSnapshot(tenants, name),
      options: optionsToJson(conditions.settings.options),
      requests,
      surprises: surprises ?? null,
      faults: rules,
      state,
    },
  })
}

/** Encodes the state of an organization as the fragment of a link: `state=` and its compressed JSON. */
export async function encodeStateFragment({ organization }: OneSnapshot): Promise<string> {
  const state = compact(organization.state, birth(organization))
  return `state=${await pack(JSON.stringify({ version: 1, ...organization, state }))}`
}

/** Encodes the state right before a request as the fragment of a link; undefined: there was none, or it is not kept. */
export async function encodeStateBeforeRequest(
  service: MockParts,
  entry: RecordedEntry,
): Promise<string | undefined> {
  const moment = stateBeforeRequest(service, entry)
  return moment && encodeStateFragment(takePortableSnapshot(service, moment))
}

/**
 * Decodes the snapshot in the fragment of a link, without validating it yet. @throws InvalidSnapshot for anything else.
 */
export async function decodeStateFragment(fragment: string): Promise<object> {
  const packed = fragment.replace(/^#?state=/, '')
  try {
    const { version, ...organization } = JSON.parse(await unpack(packed))
    const state = expand(organization.state, birth(organization))
    return { of: 'organization', version, organization: { ...organization, state } }
  } catch {
    throw new InvalidSnapshot('This link holds no state, or was cut off; copy it again, whole.')
  }
}

/** The state that an organization has when it is created, as its name and options determine it. */
function birth({
  name,
  created = '',
  options,
}: Pick<TenantState, 'name' | 'created' | 'options'>): OrganizationState {
  const base = parseOptionsWithScenario(options as MockOptionsInput)
  const settings = Array.isArray(base) ? base : parseOrganizationSettings(name + created, base)
  if (Array.isArray(settings)) throw new InvalidSnapshot('The options of this state are not valid here.')
  return initialStateOf(name, settings)
}

/** Returns the fields of a state that differ from those of the organization when it was created. */
function compact(state: OrganizationState, birth: OrganizationState): object {
  const fields = Object.entries(state).flatMap(([name, value]) => {
    const first: unknown = Reflect.get(birth, name)
    if (isSame(value, first)) return []
    return [[name, Array.isArray(value) && Array.isArray(first) ? tailOf(value, first) : { value }]]
  })
  return Object.fromEntries(fields)
}

/** Restores the whole state from what `compact` returned; it is not yet validated. */
function expand(state: object, birth: OrganizationState): object {
  const fields = Object.entries(state).map(([name, change]) => {
    if (typeof change !== 'object' || change === null) return [name, change]
    if ('value' in change) return [name, change.value]
    const { same, rows } = change as ReturnType<typeof tailOf>
    const first: unknown = Reflect.get(birth, name)
    return [
      name,
      [...(Array.isArray(first) ? first.slice(0, same) : []), ...(Array.isArray(rows) ? rows : [])],
    ]
  })
  return { ...birth, ...Object.fromEntries(fields) }
}

/** The difference of a list from `first`, whose start it shares: the number of equal rows, and the rows after them. */
function tailOf(rows: readonly unknown[], first: readonly unknown[]) {
  const differs = rows.findIndex((row, place) => !isSame(row, first[place]))
  const same = differs < 0 ? rows.length : differs
  return { same, rows: rows.slice(same) }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const longest = 64_000_000

async function pack(text: string): Promise<string> {
  const bytes = await collect(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Decompresses what `pack` returned. @throws Error for any other text, and for one that is too long. */
async function unpack(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new TextDecoder().decode(await collect(stream))
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of stream) {
    parts.push(part)
    length += part.length
    if (length > longest) throw new Error('too long')
  }
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}
