/** What every peer holds: the answer to `whoami`, and tasks as the mock writes them. */

/** The answer to the authenticated GET. */
export const whoami = {
  org: { id: 'org_kbk8kkt0r9wb10m4', name: 'Graham Group' },
  plan: 'starter',
  credits: 25,
}

/** So many tasks, for a peer that can begin with some. */
export function tasksOf(count: number): { readonly id: string }[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `task_${i}`,
    text: 'Summarise what customers say in their reviews',
    description: null,
    status: 'pending',
    scheduled_at: null,
    created_at: '2026-03-01T09:00:00.000Z',
    updated_at: '2026-03-01T09:00:00.000Z',
    started_at: null,
    finished_at: null,
  }))
}

/** The id in an answer that holds one task, in the manner of any peer. */
export function idIn(body: string): string {
  const [, id] = /"id": *"?([\w-]+)/.exec(body) ?? []
  if (id === undefined) throw new Error(`an answer without an id: ${body.slice(0, 80)}`)
  return id
}
