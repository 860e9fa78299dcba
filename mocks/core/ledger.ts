/** Work Credits as a ledger (§2, §3.2, §8.2): entries are only appended, and the balance is their sum. */
import type { LedgerEntry } from './resources.ts'

const day = (at: number) => Math.floor(at / 86_400_000)

/** The ledger of one organization. Amounts are credits; times are ms since the epoch. */
export class Ledger {
  readonly entries: LedgerEntry[] = []
  readonly #newId: () => string
  readonly #emit: (entry: LedgerEntry) => void
  readonly #refunded = new Set<string>()
  #balance = 0
  #day = Number.NEGATIVE_INFINITY
  #reservedThatDay = 0

  constructor(newId: () => string, emit: (entry: LedgerEntry) => void = () => undefined) {
    this.#newId = newId
    this.#emit = emit
  }

  /** Spendable credits. */
  get balance(): number {
    return this.#balance
  }

  /** Whether a whole credit can be reserved. */
  get solvent(): boolean {
    return this.#balance >= 1
  }

  /** Reserves one credit for a run or artifact; returns undefined and changes nothing if there is none. */
  reserve(subject: string, at: number): LedgerEntry | undefined {
    if (!this.solvent) return undefined
    this.#countReserve(at)
    return this.#append('reserve', -1, at, subject)
  }

  /** Refunds a reserved credit once; refunding the same reserve again changes nothing (§3.2). */
  refund(reserve: LedgerEntry, at: number): void {
    if (this.#refunded.has(reserve.id)) return
    this.#countRefund(reserve)
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
    return day(at) === this.#day ? this.#reservedThatDay : 0
  }

  /** Attributes the entries from an index onward to a request. */
  attribute(from: number, request_id: string): void {
    for (let i = from; i < this.entries.length; i++) (this.entries[i] as LedgerEntry).request_id = request_id
  }

  /** Restores saved entries, oldest first. */
  restore(entries: readonly LedgerEntry[]): void {
    const reserves = new Map<string | null, LedgerEntry>()
    for (const entry of entries) {
      const { kind, at, subject } = entry
      if (kind === 'reserve') {
        this.#countReserve(at)
        reserves.set(subject, entry)
      }
      const reserve = kind === 'refund' ? reserves.get(subject) : undefined
      if (reserve) this.#countRefund(reserve)
      this.#push(entry)
    }
  }

  #countReserve(at: number): void {
    this.#startDay(day(at))
    this.#reservedThatDay++
  }

  #countRefund(reserve: LedgerEntry): void {
    this.#refunded.add(reserve.id)
    if (day(reserve.at) === this.#day) this.#reservedThatDay--
  }

  #push(entry: LedgerEntry): void {
    this.entries.push(entry)
    this.#balance += entry.amount
  }

  #startDay(today: number): void {
    if (today === this.#day) return
    this.#day = today
    this.#reservedThatDay = 0
  }

  #append(kind: LedgerEntry['kind'], amount: number, at: number, subject: string | null): LedgerEntry {
    const entry = { id: this.#newId(), kind, amount, at, subject, request_id: null }
    this.#push(entry)
    this.#emit(entry)
    return entry
  }
}
