/** What the search has made and seen so far, from which it draws its next steps, and other users that it notices. */
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, field, idOf, isAccepted, items } from '#traffic/exchange.ts'
import { createdId } from '../harness/operations.ts'
import { isTaken } from './executor.ts'
import { type CallStep, makerOf, type Ref, type Tenant } from './step.ts'

/** Something that a step made. */
export interface Thing {
  readonly kind: 'task' | 'document' | 'key' | 'page'
  /** The step that made it. */
  readonly made: number
  readonly tenant: Tenant
  /** The case in which it was made. */
  readonly in: number
  readonly id: string | undefined
  /** Its text, title or name, with `{tag}`. */
  readonly name: string
  readonly folder?: string | undefined
  /** Runs of a task that were accepted. */
  runs: number
  /** Whether the last of them is not known to be over. */
  isGoing: boolean
  /** The case in which it was used last. */
  used: number
  deleted: boolean
}

/** What each operation creates, and the member of its body that names it. */
export const creations = {
  createTask: ['task', 'text'],
  createDocument: ['document', 'title'],
  createKey: ['key', 'name'],
  createLandingPage: ['page', 'business_name'],
} as const

export const isCreation = (operation: string): operation is keyof typeof creations => operation in creations

export type Inventory = ReturnType<typeof createInventory>

export function createInventory() {
  let cases = 0
  const things: Thing[] = []
  const byStep = new Map<number, Thing>()
  const madeBy = (ref: Ref | string | undefined) => byStep.get(makerOf(ref) ?? Number.NaN)
  /** The list of notifications of each organization that was read last. */
  const inboxes = new Map<Tenant, { listed: number; unread: number; read: number }>()

  function add({ operation, tenant, at, body }: CallStep, exchange: Exchange): void {
    const [kind, member] = creations[operation as keyof typeof creations]
    const folder = field(body, 'folder_id')
    const thing: Thing = {
      ...{ kind, made: at, tenant, in: inventory.case, used: inventory.case },
      id: createdId(exchange),
      name: String(field(body, member)),
      folder: typeof folder === 'string' ? folder : undefined,
      ...{ runs: 0, isGoing: false, deleted: false },
    }
    things.push(thing)
    byStep.set(at, thing)
  }

  /** Things of one kind of an organization, oldest first. */
  const thingsOf = (kind: Thing['kind'], tenant: Tenant) =>
    things.filter((one) => one.kind === kind && one.tenant === tenant)

  const inventory = {
    things,
    of: thingsOf,
    /** The number of the case that it is the turn of. */
    case: 0,
    /** The balance as it was read or arranged last. */
    credits: new Map<Tenant, number>(),
    /** Begins a case; returns its number. */
    open(): number {
      inventory.case = ++cases
      return cases
    },
    /** Learns from an answer. */
    note(call: CallStep, exchange: Exchange): void {
      const { operation, tenant } = call
      const thing = madeBy(call.of)
      if (thing) thing.used = inventory.case
      if (operation === 'runTask' && thing && isTaken(exchange)) {
        thing.runs++
        thing.isGoing = true
      }
      if (!isAccepted(exchange)) return
      if (isCreation(operation)) add(call, exchange)
      if (operation === 'deleteKey' && thing) thing.deleted = true
      const credits = operation === 'whoami' ? field(exchange.json, 'credits') : undefined
      if (typeof credits === 'number') inventory.credits.set(tenant, credits)
      if (operation === 'listNotifications') {
        const read = items(exchange).filter((one) => field(one, 'read') === true).length
        inboxes.set(tenant, { listed: call.at, unread: items(exchange).length - read, read })
      }
    },
    /** The run of a task is known to be over. */
    noteEnd(of: Ref | string): void {
      const task = madeBy(of)
      if (task) task.isGoing = false
    },
    /** Whether the case has used something of an organization. */
    isTouched: (tenant: Tenant) => things.some((one) => one.tenant === tenant && one.used === inventory.case),
    /** Keys of an organization that work. */
    keys: (tenant: Tenant) => thingsOf('key', tenant).filter(({ deleted }) => !deleted),
    /** The notifications that were unread, or read, in the list that was read last. */
    notifications(tenant: Tenant, unread: boolean): Ref[] {
      const inbox = inboxes.get(tenant)
      if (!inbox) return []
      const length = Math.min(unread ? inbox.unread : inbox.read, 20)
      return Array.from({ length }, (_, nth) => ({ listed: inbox.listed, nth, unread }))
    },
    /** The folders of this case. */
    folders(tenant: Tenant): string[] {
      const inUse = thingsOf('document', tenant).filter((one) => one.in === inventory.case)
      return [...new Set(inUse.flatMap(({ folder }) => folder ?? []))]
    },
  }
  return inventory
}

/** Where lists hold what they list, in which things of others would show. */
export const lists: Partial<Record<OperationId, string>> = {
  listTasks: 'items',
  listDocuments: 'items',
  listKeys: 'keys',
  listLandingPages: 'items',
}

export type OtherClients = ReturnType<typeof createOtherClients>

/** `made`: ids of everything that the search has made, in replays too. */
export function createOtherClients(runId: string, made: ReadonlySet<string>) {
  /** Things that were there at the start, by organization and list. */
  const knownIn = new Map<string, Set<string>>()
  /** Lists that were capped, perhaps, and that show older things since something was deleted. */
  const shorter = new Set<string>()
  /** What was noticed in each organization. */
  const noticed = new Map<Tenant, string>()
  return {
    noticed,
    /** Learns from an answer; the first list of a kind is the start. */
    note({ operation, tenant, query }: CallStep, exchange: Exchange): void {
      if (!isAccepted(exchange)) return
      if (operation === 'deleteKey') shorter.add(`${tenant} listKeys`)
      const member = lists[operation]
      if (!member || (operation === 'listDocuments' && query?.all !== '1')) return
      const place = `${tenant} ${operation}`
      const shown = items(exchange, member)
      const known = knownIn.get(place)
      if (!known || shorter.delete(place)) {
        const ids = shown.flatMap((one) => idOf(field(one, 'id')) ?? [])
        knownIn.set(place, new Set([...(known ?? []), ...ids]))
        return
      }
      for (const one of shown) {
        const id = idOf(field(one, 'id'))
        const isOwn = id === undefined || known.has(id) || made.has(id) || JSON.stringify(one).includes(runId)
        if (!isOwn) noticed.set(tenant, `${operation} shows ${id}, which this run did not make`)
      }
    },
  }
}
