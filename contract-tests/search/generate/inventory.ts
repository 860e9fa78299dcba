/** Resources that the search has created and seen. */
import { type Exchange, hasSuccessStatus, isRunAccepted, itemsOf, valueAtPath } from '#traffic/exchange.ts'
import { createdIdIn } from '../../harness/operations.ts'
import { type CallStep, creatingStepIdOf, type ResourceRef, type StepTenant } from '../step.ts'

/** A resource that a step has created. */
export interface KnownResource {
  readonly kind: 'task' | 'document' | 'key' | 'page'
  /** Id of the creating step. */
  readonly createdBy: number
  readonly tenant: StepTenant
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

/** The kind of resource that each creating operation creates, and the body member with its name. */
const createOperations = {
  createTask: ['task', 'text'],
  createDocument: ['document', 'title'],
  createKey: ['key', 'name'],
  createLandingPage: ['page', 'business_name'],
} as const

/** True if an operation creates a resource that later steps can refer to. */
export const isCreateOperation = (operation: string): operation is keyof typeof createOperations =>
  operation in createOperations

/** The resources that steps have created, which later steps can refer to. */
export class ResourceInventory {
  readonly resources: KnownResource[] = []
  /** The last balance that was read or set by a provider state, by organization. */
  readonly credits = new Map<StepTenant, number>()
  /** The current case. */
  case = 0
  #caseCount = 0
  readonly #byStep = new Map<number, KnownResource>()
  /**
   * The last list of notifications that was read, by organization: the id of its step, and how many it showed as unread
   * and as read.
   */
  readonly #inboxes = new Map<StepTenant, { listed: number; unread: number; read: number }>()

  /** Begins a case; returns its number. */
  startCase(): number {
    this.case = ++this.#caseCount
    return this.case
  }

  /** Updates the inventory from an answer. */
  recordAnswer(call: CallStep, exchange: Exchange): void {
    const { operation, tenant } = call
    const resource = this.#createdBy(call.target)
    if (resource) resource.lastUsedInCase = this.case
    if (operation === 'runTask' && resource && isRunAccepted(exchange)) {
      resource.runs++
      resource.hasPendingRun = true
    }
    if (!hasSuccessStatus(exchange)) return
    if (isCreateOperation(operation)) this.#add(call, exchange)
    if (operation === 'deleteKey' && resource) resource.deleted = true
    const credits = operation === 'whoami' ? valueAtPath(exchange.json, 'credits') : undefined
    if (typeof credits === 'number') this.credits.set(tenant, credits)
    if (operation === 'listNotifications') {
      const read = itemsOf(exchange).filter((one) => valueAtPath(one, 'read') === true).length
      this.#inboxes.set(tenant, { listed: call.stepId, unread: itemsOf(exchange).length - read, read })
    }
  }

  /** Records that the run of a task is over. */
  recordRunEnd(target: ResourceRef | string): void {
    const task = this.#createdBy(target)
    if (task) task.hasPendingRun = false
  }

  /** Things of one kind of an organization, oldest first. */
  resourcesOf(kind: KnownResource['kind'], tenant: StepTenant): KnownResource[] {
    return this.resources.filter((resource) => resource.kind === kind && resource.tenant === tenant)
  }

  /** True if the current case used a resource of the organization. */
  wasUsedInCase(tenant: StepTenant): boolean {
    return this.resources.some((one) => one.tenant === tenant && one.lastUsedInCase === this.case)
  }

  /** Keys of an organization that work. */
  workingKeys(tenant: StepTenant): KnownResource[] {
    return this.resourcesOf('key', tenant).filter(({ deleted }) => !deleted)
  }

  /** References to the unread or the read notifications in the last list of an organization, at most 20. */
  notifications(tenant: StepTenant, unread: boolean): ResourceRef[] {
    const inbox = this.#inboxes.get(tenant)
    if (!inbox) return []
    const length = Math.min(unread ? inbox.unread : inbox.read, 20)
    return Array.from({ length }, (_, nth) => ({ listed: inbox.listed, nth, unread }))
  }

  /** The folders in which the current case has created documents. */
  foldersOfCase(tenant: StepTenant): string[] {
    const inUse = this.resourcesOf('document', tenant).filter((one) => one.createdInCase === this.case)
    return [...new Set(inUse.flatMap(({ folder }) => folder ?? []))]
  }

  #createdBy(ref: ResourceRef | string | undefined): KnownResource | undefined {
    return this.#byStep.get(creatingStepIdOf(ref) ?? Number.NaN)
  }

  #add({ operation, tenant, stepId, body }: CallStep, exchange: Exchange): void {
    const [kind, member] = createOperations[operation as keyof typeof createOperations]
    const folder = valueAtPath(body, 'folder_id')
    const resource: KnownResource = {
      ...{ kind, createdBy: stepId, tenant, createdInCase: this.case, lastUsedInCase: this.case },
      id: createdIdIn(exchange),
      name: String(valueAtPath(body, member)),
      folder: typeof folder === 'string' ? folder : undefined,
      ...{ runs: 0, hasPendingRun: false, deleted: false },
    }
    this.resources.push(resource)
    this.#byStep.set(stepId, resource)
  }
}
