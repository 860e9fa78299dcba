/** What the mock should reach beside its peers, with the measured value. */
export interface Goal {
  readonly what: string
  readonly measured: string
  readonly reached: boolean
  /** Why not, if it is known. */
  readonly because: string
}
