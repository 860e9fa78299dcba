/** The order in which requests arrived; the journal has them in the order of their answers. */

/** What shows when a request arrived. */
interface Arrived {
  /** Ends with the number of the request in its organization. */
  readonly id: string
  readonly org_id: string | null
  readonly wire: string | null
}

const numberOf = ({ id }: Arrived) => Number(id.slice(id.lastIndexOf('_') + 1))

/** Puts each request that the client gave up before those that it sent after that; the same array if there is none. */
export function inOrderOfArrival<T extends Arrived>(requests: readonly T[]): readonly T[] {
  const abandoned = requests.filter(({ wire }) => wire === 'abandoned')
  if (abandoned.length === 0) return requests
  const ordered = [...requests]
  for (const late of abandoned) {
    const isLater = (one: T) => one.org_id === late.org_id && numberOf(one) > numberOf(late)
    const place = ordered.findIndex(isLater)
    if (place < 0) continue
    ordered.splice(ordered.indexOf(late), 1)
    ordered.splice(place, 0, late)
  }
  return ordered
}
