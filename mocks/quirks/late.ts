/** Lists and balances that are a moment late, as those of a service that reads from a replica. */
import { Failure } from '../core/failure.ts'
import { addCreditAmounts } from '../core/ledger.ts'
import { type HandlerWrapper, quirkListOf } from './quirk.ts'

/** An answer with a list, as handlers return it. */
interface Listing {
  readonly items?: readonly Listed[]
  readonly keys?: readonly Listed[]
  /** Unread notifications. */
  readonly unread?: number
}

interface Listed {
  readonly id: string
  readonly created_at: string
  readonly read?: boolean
}

/** Creates a handler wrapper that leaves new items out of a list until they are `delay` ms old. */
export const createLateListWrapper =
  (delay: number): HandlerWrapper =>
  (call, usual) => {
    const answer = usual(call)
    if (answer instanceof Failure) return answer
    const { org, now } = call
    // The key that the organization came with is not new.
    const own = org.keys.newest(Infinity).at(-1)?.id
    const isNew = ({ id, created_at }: Listed) => id !== own && Date.parse(created_at) > now - delay
    const { items, keys, unread } = answer as Listing
    const hidden = (items ?? keys ?? []).filter(isNew)
    if (hidden.length === 0) return answer
    return {
      ...answer,
      ...(items && { items: items.filter((one) => !isNew(one)) }),
      ...(keys && { keys: keys.filter((one) => !isNew(one)) }),
      // The count is that of the items shown, so that hidden ones are subtracted.
      ...(unread !== undefined && { unread: unread - hidden.filter(({ read }) => read === false).length }),
    }
  }

/**
 * Creates a handler wrapper that shows a change of the balance only after `delay` ms; what can be spent changes at
 * once.
 */
export const createLateBalanceWrapper =
  (delay: number): HandlerWrapper =>
  (call, usual) => {
    const answer = usual(call)
    if (answer instanceof Failure || !('credits' in answer)) return answer
    const { org, now } = call
    const isNew = ({ at }: { readonly at: number }) => at > now - delay && at <= now
    if (!org.ledger.entries.some(isNew)) return answer
    const old = org.ledger.entries.filter((entry) => !isNew(entry))
    return { ...answer, credits: old.reduce((sum, { amount }) => addCreditAmounts(sum, amount), 0) }
  }

/** Time from a change until it shows, ms. */
const delay = 1_000
const listsLate = createLateListWrapper(delay)
const balanceLate = createLateBalanceWrapper(delay)

/**
 * Quirks (legal but unusual behaviours) by which answers show changes with a delay. Reads by id of new resources, and
 * refusals, are never delayed.
 */
export const lateQuirks = quirkListOf({
  'lists-late': {
    title: 'Lists show new items a second late.',
    allowed: '#real-deployments: what is new may show in a list a moment later.',
    handle: {
      listTasks: listsLate,
      listDocuments: listsLate,
      listNotifications: listsLate,
      listKeys: listsLate,
      listLandingPages: listsLate,
    },
  },
  'balance-late': {
    title: 'The balance follows a charge, a refund or a top-up after a second.',
    allowed: '#real-deployments: a balance may follow a moment later.',
    handle: { whoami: balanceLate, createTask: balanceLate, listTasks: balanceLate },
  },
})
