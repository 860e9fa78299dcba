/** The extent of the tests: samples in the gate, everything with `npm run test:whole`. */

/** True if tests try every row of long tables and not only a sample, as `MODE=whole` asks. */
export const isExhaustiveTestRun = process.env.MODE === 'whole'

/** Returns every n-th row of a table, or all rows if the test run is exhaustive. */
export const sampleUnlessExhaustive = <Row>(rows: readonly Row[], every: number): readonly Row[] =>
  isExhaustiveTestRun ? rows : rows.filter((_, i) => i % every === 0)
