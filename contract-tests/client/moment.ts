/** A moment of a run. */
export interface Moment {
  /** Place among all moments of the run, from 1: what the client saw first has the lower place. */
  readonly place: number
  /** ms on the clock of the service or of the client; only differences count. */
  readonly ms: number
}
