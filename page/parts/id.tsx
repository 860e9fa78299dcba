/** An id as a link to what it is the id of. */
import { hrefOf, type Params, type View } from '../state/address.ts'

const data = (kind: string) => (id: string) => ['data', { kind, id }] as const
const task = (id: string) => ['tasks', { task: id }] as const

/** Where each kind of id leads, by its prefix. */
const places: Readonly<Record<string, (id: string) => readonly [View, Params]>> = {
  org: (org) => ['overview', { org }],
  task,
  run: task,
  req: (q) => ['requests', { q }],
  artifact: data('creatives'),
  document: data('documents'),
  notification: data('notifications'),
  key: data('keys'),
  site: data('landing_pages'),
}

/** The id; null: nothing. `text`: what is shown instead of it. */
export function Id({ id, text }: { readonly id: string | null; readonly text?: string | undefined }) {
  const place = places[id?.split('_')[0] ?? '']
  return id !== null && place ? (
    <a class="number" href={hrefOf(...place(id))}>
      {text ?? id}
    </a>
  ) : (
    <code>{id}</code>
  )
}
