/** Work Credits as a ledger (§2, §3.2, §8.2): entries are appended, the balance is their sum. */
import type { LedgerEntry } from './resources.ts'

const day = (at: number) => Math.floor(at / 86_400_000)

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

  /** Credits that can be spent now. */
  get balance(): number {
    return this.#balance
  }

  /** Whether a whole credit can be reserved. */
  get solvent(): boolean {
    return this.#balance >= 1
  }

  /** Reserves one credit, or answers undefined and changes nothing where there is none. */
  reserve(subject: string, at: number): LedgerEntry | undefined {
    if (!this.solvent) return undefined
    this.#countReserve(at)
    return this.#append('reserve', -1, at, subject)
  }

  /** Gives a reserved credit back, once: a second refund of the same reserve changes nothing. */
  refund(reserve: LedgerEntry, at: number): void {
    if (this.#refunded.has(reserve.id)) return
    this.#countRefund(reserve)
    this.#append('refund', -reserve.amount, at, reserve.subject)
  }

  /** Adds credits, or takes them away; the balance never goes below zero. */
  topUp(amount: number, at: number): void {
    this.#append('top_up', Math.max(amount, -this.#balance), at, null)
  }

  /** Makes exactly that many credits spendable; by way of zero, so that fractions come out exact. */
  setBalance(credits: number, at: number): void {
    if (this.#balance > 0) this.topUp(-this.#balance, at)
    this.topUp(credits, at)
  }

  /** Credits reserved on the UTC day of `at` and not given back. */
  usedToday(at: number): number {
    return day(at) === this.#day ? this.#reservedThatDay : 0
  }

  /** Marks the entries from an index on as caused by a request. */
  attribute(from: number, request_id: string): void {
    for (let i = from; i < this.entries.length; i++) (this.entries[i] as LedgerEntry).request_id = request_id
  }

  /** Takes over the entries of another ledger, each as it came. */
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
      this.#keep(entry)
    }
  }

  #countReserve(at: number): void {
    this.#turnTo(day(at))
    this.#reservedThatDay++
  }

  #countRefund(reserve: LedgerEntry): void {
    this.#refunded.add(reserve.id)
    if (day(reserve.at) === this.#day) this.#reservedThatDay--
  }

  #keep(entry: LedgerEntry): void {
    this.entries.push(entry)
    this.#balance += entry.amount
  }

  #turnTo(today: number): void {
    if (today === this.#day) return
    this.#day = today
    this.#reservedThatDay = 0
  }

  #append(kind: LedgerEntry['kind'], amount: number, at: number, subject: string | null): LedgerEntry {
    const entry = { id: this.#newId(), kind, amount, at, subject, request_id: null }
    this.#keep(entry)
    this.#emit(entry)
    return entry
  }
}
