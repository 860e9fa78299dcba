/** Shortens the id of an organization, for use in ids that are numbered per organization. */

/** Returns up to eight letters or digits of an id, after its prefix if it has one. */
export function shortOf(org_id: string): string {
  const from = org_id.indexOf('_') + 1
  return org_id.slice(from, from + 8).replace(/[^a-zA-Z0-9]/g, '')
}
