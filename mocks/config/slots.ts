/**
 * Slots: which mock of a fleet has an organization. A slot follows from the name in a credential, so that a balancer
 * can compute it too; keys and addresses that a mock makes carry it.
 */

/**
 * The slots that one mock of a fleet serves, as ranges of numbers (first and last), out of `total` slots. Each
 * organization belongs to one slot, by a hash of its name.
 */
export type ServedSlots = NonNullable<ReturnType<typeof parseServedSlots>>

const most = 65_536

/** Parses slots such as `0-255,300/1024`; undefined: the text has another form, or names a slot that does not exist. */
export function parseServedSlots(text: string) {
  const [, list, count] = /^(\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)\/(\d{1,5})$/.exec(text) ?? []
  if (list === undefined) return undefined
  const total = Number(count)
  const ranges = list.split(',').map((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return [first, last] as const
  })
  return total <= most && ranges.every(([first, last]) => first <= last && last < total)
    ? { total, ranges }
    : undefined
}

/** Writes slots in the form that `parseServedSlots` parses. */
function slotsText({ total, ranges }: ServedSlots): string {
  return `${ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(',')}/${total}`
}

/** True if a slot is among those that a mock of a fleet serves. */
export function servesSlot({ ranges }: ServedSlots, slot: number): boolean {
  return ranges.some(([first, last]) => slot >= first && slot <= last)
}

/**
 * Computes the slot of the organization with a name: the CRC-32 of its bytes, mixed as HAProxy's `crc32(1)` does,
 * modulo the number of slots. Without the mixing, names that end in numbers would share few slots.
 */
export function slotOfOrganizationName(name: string, total: number): number {
  let crc = -1
  for (const byte of new TextEncoder().encode(name)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return mixed(~crc) % total
}

/** One of Bob Jenkins' integer hashes, and a product that spreads it; 32 bits, unsigned. */
function mixed(value: number): number {
  let a = (value + 0x7ed55d16 + (value << 12)) | 0
  a = a ^ 0xc761c23c ^ (a >>> 19)
  a = (a + 0x165667b1 + (a << 5)) | 0
  a = (a + 0xd3a2646c) ^ (a << 9)
  a = (a + 0xfd7046c5 + (a << 3)) | 0
  a = a ^ 0xb55a4f09 ^ (a >>> 16)
  return Math.imul(a, 3221225473) >>> 0
}

/** The error message for a request that reached the wrong mock of a fleet: another one serves its organization. */
export function misdirectedRequestText(slots: ServedSlots, slot: number): string {
  return `This organization has slot ${slot}; this mock has ${slotsText(slots)}.`
}
