/** Resources that the search has created and seen. */
import { type Exchange, field, isAccepted, items } from '#traffic/exchange.ts'
import { createdId } from '../../harness/operations.ts'
import { isRunAccepted } from '../execute/executor.ts'
import { type CallStep, creatingStepOf, type Ref, type Tenant } from '../step.ts'

/** A resource that a step created. */
export interface KnownResource {
  readonly kind: 'task' | 'document' | 'key' | 'page'
  /** Id of the creating step. */
  readonly createdBy: number
  readonly tenant: Tenant
  /** Case that created it. */
  readonly createdInCase: number
  readonly id: string | undefined
  /** Its text, title or name, with `{tag}`. */
  readonly name: string
  readonly folder?: string | undefined
  /** Number of accepted runs of a task. */
  runs: number
  /** True while the last run may be pending. */
  hasPendingRun: boolean
  /** Case that used it last. */
  lastUsedInCase: number
  deleted: boolean
}

/** Kind of resource that an operation creates, and the body member with its name. */
export const createOperations = {
  createTask: ['task', 'text'],
  createDocument: ['document', 'title'],
  createKey: ['key', 'name'],
  createLandingPage: ['page', 'business_name'],
} as const

export const isCreateOperation = (operation: string): operation is keyof typeof createOperations =>
  operation in createOperations

export type Inventory = ReturnType<typeof createInventory>

/** Creates the inventory of resources that steps have created, which later steps refer to. */
export function createInventory() {
  let caseCount = 0
  const resources: KnownResource[] = []
  const byStep = new Map<number, KnownResource>()
  const resourceCreatedBy = (ref: Ref | string | undefined) => byStep.get(creatingStepOf(ref) ?? Number.NaN)
  /** The list of notifications of each organization that was read last. */
  const inboxes = new Map<Tenant, { listed: number; unread: number; read: number }>()

  function add({ operation, tenant, stepId, body }: CallStep, exchange: Exchange): void {
    const [kind, member] = createOperations[operation as keyof typeof createOperations]
    const folder = field(body, 'folder_id')
    const resource: KnownResource = {
      ...{ kind, createdBy: stepId, tenant, createdInCase: inventory.case, lastUsedInCase: inventory.case },
      id: createdId(exchange),
      name: String(field(body, member)),
      folder: typeof folder === 'string' ? folder : undefined,
      ...{ runs: 0, hasPendingRun: false, deleted: false },
    }
    resources.push(resource)
    byStep.set(stepId, resource)
  }

  /** Things of one kind of an organization, oldest first. */
  const resourcesOf = (kind: KnownResource['kind'], tenant: Tenant) =>
    resources.filter((resource) => resource.kind === kind && resource.tenant === tenant)

  const inventory = {
    resources,
    resourcesOf,
    /** The current case. */
    case: 0,
    /** The balance as it was read or arranged last. */
    credits: new Map<Tenant, number>(),
    /** Begins a case; returns its number. */
    startCase(): number {
      inventory.case = ++caseCount
      return caseCount
    },
    /** Updates the inventory from an answer. */
    recordAnswer(call: CallStep, exchange: Exchange): void {
      const { operation, tenant } = call
      const resource = resourceCreatedBy(call.target)
      if (resource) resource.lastUsedInCase = inventory.case
      if (operation === 'runTask' && resource && isRunAccepted(exchange)) {
        resource.runs++
        resource.hasPendingRun = true
      }
      if (!isAccepted(exchange)) return
      if (isCreateOperation(operation)) add(call, exchange)
      if (operation === 'deleteKey' && resource) resource.deleted = true
      const credits = operation === 'whoami' ? field(exchange.json, 'credits') : undefined
      if (typeof credits === 'number') inventory.credits.set(tenant, credits)
      if (operation === 'listNotifications') {
        const read = items(exchange).filter((resource) => field(resource, 'read') === true).length
        inboxes.set(tenant, { listed: call.stepId, unread: items(exchange).length - read, read })
      }
    },
    /** The run of a task is known to be over. */
    recordRunEnd(target: Ref | string): void {
      const task = resourceCreatedBy(target)
      if (task) task.hasPendingRun = false
    },
    /** True if the current case used a resource of the organization. */
    wasUsedInCase: (tenant: Tenant) =>
      resources.some((resource) => resource.tenant === tenant && resource.lastUsedInCase === inventory.case),
    /** Keys of an organization that work. */
    workingKeys: (tenant: Tenant) => resourcesOf('key', tenant).filter(({ deleted }) => !deleted),
    /** The notifications that were unread, or read, in the list that was read last. */
    notifications(tenant: Tenant, unread: boolean): Ref[] {
      const inbox = inboxes.get(tenant)
      if (!inbox) return []
      const length = Math.min(unread ? inbox.unread : inbox.read, 20)
      return Array.from({ length }, (_, nth) => ({ listed: inbox.listed, nth, unread }))
    },
    /** The folders of this case. */
    foldersOfCase(tenant: Tenant): string[] {
      const inUse = resourcesOf('document', tenant).filter(
        (resource) => resource.createdInCase === inventory.case,
      )
      return [...new Set(inUse.flatMap(({ folder }) => folder ?? []))]
    },
  }
  return inventory
}
