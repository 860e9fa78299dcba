/** Copies of an organization at a moment: a fork, a link, a file; and undo, which takes back what destroys something for ten seconds. */
import { signal } from '@preact/signals-core'
import { count, momentOf } from '../parts/text.ts'
import { change, goAfter, open, param } from './address.ts'
import { type Answer, control } from './calls.ts'
import { attempt, copyText, notify } from './notices.ts'
import { organization, usual } from './overview.ts'
import { moment } from './requests.ts'

/** Brings back what an action destroyed. */
type Undo = () => Promise<unknown>

/**
 * Runs an action; the notice of its success can undo it. `keep`: keeps what the action destroys, before it does, and
 * returns what brings it back. `done`: the notice, unless the action returns one. Returns whether the action succeeded.
 */
export const undoable = (what: string, keep: () => Promise<Undo> | Undo, action: () => unknown, done = '') =>
  attempt(what, async () => {
    const undo = await keep()
    const org = organization.peek()?.org_id
    const said = await action()
    const back = async () => {
      await undo()
      change({ org }, { quiet: true })
    }
    // One that fails can be tried again.
    const offer = () =>
      notify('done', typeof said === 'string' ? said : done, async () => {
        if (!(await attempt(`Undo: ${what}`, back, `Undone: ${what}`))) offer()
      })
    offer()
  })

/** Keeps the state of an organization, or of the whole mock. */
export async function keepState(org_id?: string): Promise<Undo> {
  const file = await control('GET /state', { query: { org_id } })
  return () => control('POST /restore', { body: { file } })
}

/** Makes a new organization with the state that the page shows, and opens it. */
export const fork = (): Promise<boolean> =>
  attempt('Fork', async () => {
    const org_id = organization.peek()?.org_id
    const at = moment.peek() === '' ? undefined : Number(moment.peek())
    await goAfter(control('POST /fork', { body: { org_id, at } }), (made) =>
      open('overview', { org: made.org_id, at: undefined }),
    )
    notify('done', 'Forked: the new organization has its own key')
  })

/** Returns the shown state as a file, and as a link if it is short. */
const linkOf = () => {
  const query = { org_id: organization.peek()?.org_id, at: moment.peek() }
  return control('GET /link', { query })
}

/** Copies a link that restores the shown state; a state that is too long for a link is saved as a file. */
export const share = (): Promise<boolean> =>
  attempt('Link', async () => {
    const { fragment, file, name } = await linkOf()
    if (fragment === null) return saveFile(name, file)
    await copyText(`${location.origin}/#${fragment}`)
    notify('done', 'Copied a link that restores exactly this state')
  })

export const save = (): Promise<boolean> =>
  attempt('Save', async () => {
    const { file, name } = await linkOf()
    saveFile(name, file)
  })

function saveFile(name: string, file: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(file)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name.endsWith('.json') ? name : `${name}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
  notify('done', `Saved ${link.download}`)
}

/** What a link or a file restores: an organization, or the whole mock. */
type Source = { readonly state: string } | { readonly file: unknown }

/** What an opened file holds, until somebody restores it or does not want it. */
export const offered = signal<unknown>(undefined)

/** Says what was restored, or would be. */
const textOf = ({ name, credits, time, notes }: Answer<'POST /restore'>) =>
  name === null
    ? ['the whole mock', ...notes.slice(0, 3), ...(notes.length > 3 ? ['…'] : [])].join('; ')
    : `${name} with ${count(credits ?? 0, 'credit')}${time === null ? '' : `, as of ${momentOf(time)}`}`

/** Returns what a link or a file would restore, in words. @throws Refusal if it holds no state. */
export const previewOf = async (from: Source): Promise<string> =>
  textOf(await control('POST /restore', { body: { ...from, preview: true } }))

/** Restores a state; then the page shows the organization of the mock that is the oldest now. */
async function restoreNow(from: Source) {
  const restored = await control('POST /restore', { body: from })
  offered.value = undefined
  usual.value = (await control('GET /overview')).organizations.at(-1)?.org_id ?? ''
  return restored
}

/** Restores a state from a link or a file, and opens its organization. */
export const restore = (from: Source): Promise<boolean> =>
  undoable(
    'Restore',
    () => keepState(),
    () =>
      goAfter(restoreNow(from), (restored) => {
        open('overview', { org: restored.org_id ?? undefined, at: undefined })
        return `Restored ${textOf(restored)}`
      }),
    'Restored',
  )

/** Goes to the moment after a request, in the same view; undefined: back to now. */
export const goTo = (at: number | undefined): void => change({ at }, { quiet: param('at') !== '' })
