/**
 * An independent model of an organization, written from the specification and not from the mock. Time passes in
 * ticks. It is slow, small and easy to verify.
 */

/** An action on an organization. `nth` counts from the oldest, modulo the number of items. */
export type Command =
  | { readonly do: 'create' | 'creative' | 'free' | 'idle' | 'notify' | 'read all' }
  | { readonly do: 'run' | 'read'; readonly nth: number }
  | { readonly do: 'top up'; readonly credits: number }
  | { readonly do: 'occupy'; readonly ticks: number }
  | { readonly do: 'fail run' | 'fail creative'; readonly on: boolean }

/** A task in the model. */
export interface ModelTask {
  status: string
  /** Ticks since the start; null: not yet in the latest run. */
  started: number | null
  finished: number | null
}

/** Everything that a client can see of an organization. */
export interface VisibleState {
  readonly credits: number
  readonly usedToday: number
  readonly unread: number
  readonly tasks: readonly ModelTask[]
}

/** The model of one organization. */
export class Model {
  tick = 0
  credits: number
  readonly tasks: ModelTask[]
  /** Whether each notification was read, oldest first. */
  readonly read: boolean[]
  readonly #runLength: number
  readonly #dayOf: (tick: number) => number
  readonly #queue: ModelTask[] = []
  /** The day of each reserve that was not refunded. */
  readonly #spent: number[] = []
  readonly #reservedOn = new Map<ModelTask, number>()
  readonly #failing = new Set<ModelTask>()
  #active: ModelTask | null = null
  #otherWork = 0
  #nextRunFails = false
  #nextCreativeFails = false

  constructor(
    start: { credits: number; tasks: ModelTask[]; read: boolean[] },
    run: { length: number; dayOf: (tick: number) => number },
  ) {
    this.credits = start.credits
    this.tasks = start.tasks
    this.read = start.read
    this.#runLength = run.length
    this.#dayOf = run.dayOf
  }

  /** Lets one tick pass. */
  pass(): void {
    this.tick++
    if (this.#otherWork > 0) this.#otherWork--
    this.#settle()
  }

  /** Returns what a client sees. */
  get visible(): VisibleState {
    return {
      credits: this.credits,
      usedToday: this.#spent.filter((day) => day === this.#dayOf(this.tick)).length,
      unread: this.read.filter((read) => !read).length,
      tasks: this.tasks.map((task) => ({ ...task })),
    }
  }

  /** Executes a command and returns what a client receives. */
  play(command: Command): unknown {
    switch (command.do) {
      case 'create':
        this.tasks.push({ status: 'pending', started: null, finished: null })
        return 'pending'
      case 'run':
        return this.#run(this.tasks[command.nth % this.tasks.length])
      case 'creative':
        return this.#generate()
      case 'read':
        this.read[command.nth % this.read.length] = true
        return true
      case 'notify':
        return void this.read.push(false)
      case 'top up':
        this.credits = command.credits
        return
      case 'occupy':
        this.#otherWork = Math.max(this.#otherWork, command.ticks)
        return
      case 'free':
        this.#otherWork = 0
        return this.#settle()
      case 'idle':
        this.#otherWork = 0
        do {
          if (this.#active) this.#end(this.#active)
          this.#settle()
        } while (this.#active)
        return
      case 'fail run':
        this.#nextRunFails = command.on
        return
      case 'fail creative':
        this.#nextCreativeFails = command.on
        return
      case 'read all':
        return this.visible
    }
  }

  #run(task: ModelTask | undefined): unknown {
    if (!task) return 'not_found'
    if (task.status === 'queued' || task.status === 'in_progress') return 'invalid_request'
    if (this.credits < 1) return 'no_credits'
    const busy = this.#active !== null || this.#queue.length > 0 || this.#otherWork > 0
    this.credits--
    this.#spent.push(this.#dayOf(this.tick))
    this.#reservedOn.set(task, this.#dayOf(this.tick))
    Object.assign(task, { status: 'queued', started: null, finished: null })
    this.#queue.push(task)
    this.#settle()
    return busy ? 'busy' : task.status
  }

  #generate(): unknown {
    if (this.credits < 1) return 'no_credits'
    if (this.#nextCreativeFails) {
      this.#nextCreativeFails = false
      return 'unavailable'
    }
    this.credits--
    this.#spent.push(this.#dayOf(this.tick))
    return 'hosted'
  }

  /** Ends and starts the runs that are due at this tick. */
  #settle(): void {
    for (;;) {
      const { started } = this.#active ?? {}
      if (this.#active && this.tick - (started ?? 0) >= this.#runLength) this.#end(this.#active)
      if (this.#active || this.#otherWork > 0) return
      const next = this.#queue.shift()
      if (!next) return
      this.#active = next
      Object.assign(next, { status: 'in_progress', started: this.tick })
      if (this.#nextRunFails) this.#failing.add(next)
      this.#nextRunFails = false
    }
  }

  #end(task: ModelTask): void {
    this.#active = null
    const failed = this.#failing.delete(task)
    Object.assign(task, { status: failed ? 'failed' : 'completed', finished: this.tick })
    this.read.push(false)
    if (!failed) return
    this.credits++
    this.#spent.splice(this.#spent.indexOf(this.#reservedOn.get(task) ?? -1), 1)
  }
}

/** Returns whether a status is final in the model. */
export function isFinal(status: string): boolean {
  return status === 'completed' || status === 'failed'
}
