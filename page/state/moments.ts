/** Copies of an organization at a moment: a fork, a link, a file; and undo, which takes back what destroys something for ten seconds. */
import { signal } from '@preact/signals-core'
import { countText, formatMoment } from '../parts/text.ts'
import { addressParam, changeAddress, continueUnlessAddressChanged, openView } from './address.ts'
import { type ControlRouteAnswer, callControlRoute } from './calls.ts'
import { copyText, runWithNotice, showNotice } from './notices.ts'
import { defaultOrganizationId, shownOrganization } from './overview.ts'
import { momentQueryOf, requestTotal } from './requests.ts'

/** Brings back what an action destroyed. */
type Undo = () => Promise<unknown>

/**
 * Runs an action, then shows a notice that offers to undo it. `keep`: saves the state that the action destroys, and
 * returns the function that restores it. Without `action`, `keep` itself is the action, and its undo reverts nothing
 * else. `done`: the text of the notice. Returns whether the action succeeded.
 */
export const runUndoable = (what: string, keep: () => Promise<Undo>, action?: () => unknown, done = '') =>
  runWithNotice(what, async () => {
    const undo = await keep()
    const org = shownOrganization.peek()?.org_id
    const said = await action?.()
    const back = async () => {
      await undo()
      changeAddress({ org }, { quiet: true })
    }
    const since = requestTotal.peek()
    /** A restored state also lacks what requests did after the action. */
    const loses = () => {
      const later = action ? requestTotal.value - since : 0
      return later > 0 ? `takes back what ${countText(later, 'request')} did since, too` : ''
    }
    // One that fails can be tried again.
    const again = async () => {
      if (!(await runWithNotice(`Undo: ${what}`, back, `Undone: ${what}`))) offer()
    }
    const offer = () =>
      showNotice('done', typeof said === 'string' ? said : done, Object.assign(again, { loses }))
    offer()
  })

/** Saves the state of an organization, or of the whole mock; returns the function that restores it. */
export async function saveStateForUndo(org_id?: string): Promise<Undo> {
  const file = await callControlRoute('GET /state', { query: { org_id } })
  return () => callControlRoute('POST /restore', { body: { file } })
}

/** Creates an organization with the state that the page shows, and switches to it. */
export const forkShownState = (named: Named = {}): Promise<boolean> =>
  runWithNotice('Fork', async () => {
    await continueUnlessAddressChanged(callControlRoute('POST /fork', { body: queryFor(named) }), (made) =>
      openView('overview', { org: made.org_id, at: undefined }),
    )
    showNotice('done', 'Forked: the new organization has its own key')
  })

/** An organization and a moment whose state is meant; default: those that the page shows. */
interface Named {
  readonly org_id?: string | undefined
  /** The moment as the address writes it. */
  readonly at?: number
}

const queryFor = ({ org_id = shownOrganization.peek()?.org_id, at }: Named) => ({
  org_id,
  ...momentQueryOf(at),
})

/** Returns a state as a file and, if it is short enough, as a link. */
const linkOf = (named: Named) => callControlRoute('GET /link', { query: queryFor(named) })

/** Copies a link that restores the state the page shows; a state that is too long for a link is saved as a file. */
export const copyStateLink = (named: Named = {}): Promise<boolean> =>
  runWithNotice('Link', async () => {
    const { fragment, file, name } = await linkOf(named)
    if (fragment === null) return saveFile(name, file)
    await copyText(`${location.origin}/#${fragment}`)
    showNotice('done', 'Copied a link that restores exactly this state')
  })

/** Saves the state of an organization, or of the whole mock, as a file. */
export const saveStateFile = (named: Named = {}): Promise<boolean> =>
  runWithNotice('Save', async () => {
    const { file, name } = await linkOf(named)
    saveFile(name, file)
  })

function saveFile(name: string, file: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(file)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
  showNotice('done', `Saved ${name}`)
}

/** The source of the state to restore: a link or a file. */
type Source = { readonly state: string } | { readonly file: unknown }

/**
 * The content of the state file that the user opened, until its state is restored or dismissed, or its view is left
 * after a refusal.
 */
export const openedStateFile = signal<unknown>(undefined)

/** The text that says what was restored, or would be. */
const textOf = ({ name, credits, time, notes }: ControlRouteAnswer<'POST /restore'>) =>
  name === null
    ? ['the whole mock', ...notes.slice(0, 3), ...(notes.length > 3 ? ['…'] : [])].join('; ')
    : `${name} with ${countText(credits ?? 0, 'credit')}${time === null ? '' : `, as of ${formatMoment(time)}`}`

/** Describes the state that a link or a state file would restore. @throws RefusedCallError if it holds no state. */
export const describeState = async (from: Source): Promise<string> =>
  textOf(await callControlRoute('POST /restore', { body: { ...from, preview: true } }))

/** Restores a state; the default organization of the page is then the oldest one in the mock. */
async function restoreNow(from: Source) {
  const restored = await callControlRoute('POST /restore', { body: from })
  openedStateFile.value = undefined
  defaultOrganizationId.value = (await callControlRoute('GET /overview')).organizations.at(-1)?.org_id ?? ''
  return restored
}

/**
 * Restores a state from a link or a file, switches to its organization, and offers to undo that. Returns whether it
 * succeeded.
 */
export const restoreState = (from: Source): Promise<boolean> =>
  runUndoable(
    'Restore',
    () => saveStateForUndo(),
    () =>
      continueUnlessAddressChanged(restoreNow(from), (restored) => {
        openView('overview', { org: restored.org_id ?? undefined, at: undefined })
        return `Restored ${textOf(restored)}`
      }),
  )

/** Shows another moment, as the address writes it, in the same view; undefined: now. */
export const goToMoment = (at: number | undefined): void =>
  changeAddress({ at }, { quiet: addressParam('at') !== '' })
