/** `npm run bench`: measures the mock against a bare `node:http` server and itself. Reports; never fails a goal. */
import { arch, availableParallelism, cpus, platform } from 'node:os'
import { createTaskRow, growthRows, whoamiRow } from './rates.ts'
import { startUpRows } from './start-up.ts'
import { tableOf } from './table.ts'

const processor = cpus()[0]?.model.trim() || arch()
console.log(`Node ${process.version}, ${platform()}, ${availableParallelism()} cores, ${processor}`)
console.log('Rounds alternate; measured is the median. Takes about a minute.\n')

const startUp = await startUpRows()
const whoami = await whoamiRow()
const growth = await growthRows(10, 100_000)
const createTask = await createTaskRow()
console.log(tableOf([whoami, ...growth, createTask, ...startUp]))
