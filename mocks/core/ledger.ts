/** Work Credits as a ledger (§2, §3.2, §8.2): entries are only appended, and the balance is their sum. */
import type { LedgerEntry } from './resources.ts'

/** Adds an amount of credits to a balance, rounded so that fractions (§2) add up exactly. */
export const addCreditAmounts = (balance: number, amount: number) =>
  Number((balance + amount).toPrecision(15))

const day = (at: number) => Math.floor(at / 86_400_000)

/**
 * The ledger of one organization, with its balance and reservations. Amounts are credits; times are ms since the epoch.
 */
export class Ledger {
  readonly entries: LedgerEntry[] = []
  readonly #newId: () => string
  readonly #emit: (entry: LedgerEntry) => void
  readonly #refunded = new Set<string>()
  #balance = 0

  constructor(newId: () => string, emit: (entry: LedgerEntry) => void = () => undefined) {
    this.#newId = newId
    this.#emit = emit
  }

  /** Spendable credits. */
  get balance(): number {
    return this.#balance
  }

  /** True if a whole credit can be reserved. */
  get canReserve(): boolean {
    return this.#balance >= 1
  }

  /** Reserves one credit for a run or artifact; returns undefined and changes nothing if there is none. */
  reserve(subject: string, at: number): LedgerEntry | undefined {
    if (!this.canReserve) return undefined
    return this.#append('reserve', -1, at, subject)
  }

  /** Refunds a reserved credit once; refunding the same reserve again changes nothing (§3.2). */
  refund(reserve: LedgerEntry, at: number): void {
    if (this.#refunded.has(reserve.id)) return
    this.#refunded.add(reserve.id)
    this.#append('refund', -reserve.amount, at, reserve.subject)
  }

  /** Adds credits or, if negative, removes them; the balance never goes below zero. */
  topUp(amount: number, at: number): void {
    this.#append('top_up', Math.max(amount, -this.#balance), at, null)
  }

  /** Sets the balance. It is set to zero first, so that fractions are exact. */
  setBalance(credits: number, at: number): void {
    if (this.#balance > 0) this.topUp(-this.#balance, at)
    this.topUp(credits, at)
  }

  /** Returns the credits reserved on the UTC day of `at` and not refunded. */
  usedToday(at: number): number {
    let used = 0
    for (let i = this.entries.length - 1; i >= 0; i--) {
      const entry = this.entries[i] as LedgerEntry
      if (entry.kind !== 'reserve') continue
      if (day(entry.at) !== day(at)) break
      if (!this.#refunded.has(entry.id)) used++
    }
    return used
  }

  /** Attributes the entries from an index onward to a request. */
  attribute(from: number, request_id: string): void {
    for (let i = from; i < this.entries.length; i++) (this.entries[i] as LedgerEntry).request_id = request_id
  }

  /** Restores saved entries, oldest first. */
  restore(entries: readonly LedgerEntry[]): void {
    const reserves = new Map<string | null, string>()
    for (const entry of entries) {
      const { kind, subject, id } = entry
      if (kind === 'reserve') reserves.set(subject, id)
      if (kind === 'refund') this.#refunded.add(reserves.get(subject) ?? '')
      this.#push(entry)
    }
  }

  #push(entry: LedgerEntry): void {
    this.entries.push(entry)
    this.#balance = addCreditAmounts(this.#balance, entry.amount)
  }

  #append(kind: LedgerEntry['kind'], amount: number, at: number, subject: string | null): LedgerEntry {
    const entry = { id: this.#newId(), kind, amount, at, subject, request_id: null }
    this.#push(entry)
    this.#emit(entry)
    return entry
  }
}
