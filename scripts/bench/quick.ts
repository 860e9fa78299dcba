/** The quick form: the mock against a bare `node:http` server and itself, about a minute. */
import { createTaskRow, growthRows, whoamiRow } from './rates.ts'
import { startUpRows } from './start-up.ts'
import { tableOf } from './table.ts'

/** Measures, and answers the table. */
export async function compareWithBare(): Promise<string> {
  const startUp = await startUpRows()
  const whoami = await whoamiRow()
  const growth = await growthRows(10, 100_000)
  const createTask = await createTaskRow()
  return tableOf([whoami, ...growth, createTask, ...startUp])
}
