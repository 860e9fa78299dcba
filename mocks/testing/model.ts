/**
 * A second opinion on how an organization behaves, written from the specification and not from the mock: time
 * passes tick by tick, and what is true is written down where it happens. Slow, small, and easy to believe.
 */

/** What can be done to an organization. `nth` counts from the oldest, round and round. */
export type Command =
  | { readonly do: 'create' | 'creative' | 'free' | 'idle' | 'notify' | 'look' }
  | { readonly do: 'run' | 'read'; readonly nth: number }
  | { readonly do: 'top up'; readonly credits: number }
  | { readonly do: 'occupy'; readonly ticks: number }
  | { readonly do: 'jinx run' | 'jinx creative'; readonly on: boolean }

export interface ModelTask {
  status: string
  /** Ticks since the beginning; null while it has not happened in the latest run. */
  started: number | null
  finished: number | null
}

/** All that a client can see of an organization. */
export interface Sight {
  readonly credits: number
  readonly usedToday: number
  readonly unread: number
  readonly tasks: readonly ModelTask[]
}

export class Model {
  tick = 0
  credits: number
  readonly tasks: ModelTask[]
  /** Of each notification, oldest first, whether it was read. */
  readonly read: boolean[]
  readonly #runLength: number
  readonly #dayOf: (tick: number) => number
  readonly #line: ModelTask[] = []
  /** The day on which each credit was reserved that was not given back. */
  readonly #spent: number[] = []
  readonly #reservedOn = new Map<ModelTask, number>()
  readonly #doomed = new Set<ModelTask>()
  #working: ModelTask | null = null
  #elsewhere = 0
  #runJinxed = false
  #creativeJinxed = false

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

  /** One tick of time passes. */
  pass(): void {
    this.tick++
    if (this.#elsewhere > 0) this.#elsewhere--
    this.#goOn()
  }

  get sight(): Sight {
    return {
      credits: this.credits,
      usedToday: this.#spent.filter((day) => day === this.#dayOf(this.tick)).length,
      unread: this.read.filter((read) => !read).length,
      tasks: this.tasks.map((task) => ({ ...task })),
    }
  }

  /** Does as told, and answers what a client is told. */
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
        this.#elsewhere = Math.max(this.#elsewhere, command.ticks)
        return
      case 'free':
        this.#elsewhere = 0
        return this.#goOn()
      case 'idle':
        this.#elsewhere = 0
        do {
          if (this.#working) this.#end(this.#working)
          this.#goOn()
        } while (this.#working)
        return
      case 'jinx run':
        this.#runJinxed = command.on
        return
      case 'jinx creative':
        this.#creativeJinxed = command.on
        return
      case 'look':
        return this.sight
    }
  }

  #run(task: ModelTask | undefined): unknown {
    if (!task) return 'not_found'
    if (task.status === 'queued' || task.status === 'in_progress') return 'invalid_request'
    if (this.credits < 1) return 'no_credits'
    const taken = this.#working !== null || this.#line.length > 0 || this.#elsewhere > 0
    this.credits--
    this.#spent.push(this.#dayOf(this.tick))
    this.#reservedOn.set(task, this.#dayOf(this.tick))
    Object.assign(task, { status: 'queued', started: null, finished: null })
    this.#line.push(task)
    this.#goOn()
    return taken ? 'busy' : task.status
  }

  #generate(): unknown {
    if (this.credits < 1) return 'no_credits'
    if (this.#creativeJinxed) {
      this.#creativeJinxed = false
      return 'unavailable'
    }
    this.credits--
    this.#spent.push(this.#dayOf(this.tick))
    return 'hosted'
  }

  /** Ends what is due and starts what can start, at this tick. */
  #goOn(): void {
    for (;;) {
      const { started } = this.#working ?? {}
      if (this.#working && this.tick - (started ?? 0) >= this.#runLength) this.#end(this.#working)
      if (this.#working || this.#elsewhere > 0) return
      const next = this.#line.shift()
      if (!next) return
      this.#working = next
      Object.assign(next, { status: 'in_progress', started: this.tick })
      if (this.#runJinxed) this.#doomed.add(next)
      this.#runJinxed = false
    }
  }

  #end(task: ModelTask): void {
    this.#working = null
    const failed = this.#doomed.delete(task)
    Object.assign(task, { status: failed ? 'failed' : 'completed', finished: this.tick })
    this.read.push(false)
    if (!failed) return
    this.credits++
    this.#spent.splice(this.#spent.indexOf(this.#reservedOn.get(task) ?? -1), 1)
  }
}

/** Whether a status is final in the model. */
export function isFinal(status: string): boolean {
  return status === 'completed' || status === 'failed'
}
