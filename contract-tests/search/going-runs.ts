/** Runs that were accepted and not yet seen to end: when to look at each, and when it is overdue. */
import type { Tenant } from './step.ts'

/** How a run is awaited. Times in ms on the clock of the target. */
export interface Awaited {
  /** When it was accepted: a task may run again before its end was seen. */
  readonly since: number
  readonly deadline: number
  /** How long it may take from the first look on. */
  readonly within: number
  /** Until the next look. */
  pause: number
}

/** First guess how long a run takes, and the shortest and longest pause between two looks, ms. */
const pauses = { first: 40, shortest: 10, longest: 1_000 } as const

const nameOf = (tenant: Tenant, id: string) => `${tenant} ${id}`

/** How long runs took lately, ms. */
export interface Pace {
  run: number
  /** When paid work was last made to fail, ms on the clock of the target. */
  failed: number
}

export const newPace = (): Pace => ({ run: pauses.first, failed: Number.NEGATIVE_INFINITY })

export class GoingRuns {
  /** When each was accepted, by task, and how many were going before it. */
  readonly #accepted = new Map<string, { readonly at: number; readonly ahead: number }>()
  /** By the step that awaits it. */
  readonly #awaited = new Map<number, Awaited>()
  readonly #pace: Pace

  constructor(pace: Pace) {
    this.#pace = pace
  }

  accept(tenant: Tenant, id: string, now: number): void {
    this.#accepted.set(nameOf(tenant, id), { at: now, ahead: this.#goingOf(tenant) })
  }

  /** The tasks whose runs are not known to have ended. */
  get all(): { readonly tenant: Tenant; readonly id: string }[] {
    return [...this.#accepted.keys()].map((name) => {
      const at = name.indexOf(' ')
      return { tenant: name.slice(0, at) as Tenant, id: name.slice(at + 1) }
    })
  }

  /** How a step awaits the run of a task; undefined: none is going. `isFirst`: it has not looked yet. */
  await(at: number, tenant: Tenant, id: string, now: number, patience: number) {
    const accepted = this.#accepted.get(nameOf(tenant, id))
    const known = this.#awaited.get(at)
    if (accepted === undefined) return undefined
    if (known?.since === accepted.at) return { awaited: known, isFirst: false }
    const within = patience * (1 + this.#goingOf(tenant))
    const pause = Math.max(1, this.#pace.run * (1 + accepted.ahead) - (now - accepted.at))
    const awaited: Awaited = { since: accepted.at, deadline: now + within, within, pause }
    this.#awaited.set(at, awaited)
    return { awaited, isFirst: true }
  }

  /** The run goes on: the next pause is longer. */
  goesOn(awaited: Awaited): void {
    awaited.pause = Math.min(Math.max(awaited.pause * 1.5, pauses.shortest), pauses.longest)
  }

  /** The run is over. */
  end(at: number, tenant: Tenant, id: string, now: number): undefined {
    const accepted = this.#accepted.get(nameOf(tenant, id))
    if (accepted?.ahead === 0) this.#learn(now - accepted.at)
    this.#accepted.delete(nameOf(tenant, id))
    this.#awaited.delete(at)
  }

  /** Shorter runs count more: longer ones may have been seen late. */
  #learn(ms: number): void {
    const weight = ms < this.#pace.run ? 0.5 : 0.1
    this.#pace.run = Math.min(this.#pace.run * (1 - weight) + ms * weight, pauses.longest)
  }

  #goingOf(tenant: Tenant): number {
    return [...this.#accepted.keys()].filter((name) => name.startsWith(`${tenant} `)).length
  }
}
