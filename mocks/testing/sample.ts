/** The extent of the tests: samples in the gate, everything with `npm run test:whole`. */

/** True if tests try every row of long tables in place of a sample, as `MODE=whole` asks. */
export const isExhaustiveTestRun = process.env.MODE === 'whole'

/** Every n-th row of a table, or all of them if tests are exhaustive. */
export const sampleUnlessExhaustive = <Row>(rows: readonly Row[], every: number): readonly Row[] =>
  isExhaustiveTestRun ? rows : rows.filter((_, i) => i % every === 0)
