/** The first characters of an organization's id, for ids that are counted for each organization. */

/** Eight letters or digits after the prefix; of an id without one, from its beginning. */
export function shortOf(org_id: string): string {
  const from = org_id.indexOf('_') + 1
  return org_id.slice(from, from + 8).replace(/[^a-zA-Z0-9]/g, '')
}
