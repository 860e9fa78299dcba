/** How much the tests try: samples in the gate, everything with `npm run test:whole`. */

/** True if tests take all rows of long tables, not samples. */
export const isExhaustive = process.env.MODE === 'whole'

/** Every n-th row, or all of them if everything is tried. */
export const sample = <Row>(rows: readonly Row[], every: number): readonly Row[] =>
  isExhaustive ? rows : rows.filter((_, i) => i % every === 0)
