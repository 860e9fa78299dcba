/**
 * Builds what is published, into `dist` or the given folder. Runs before `npm pack`. `--no-declarations` leaves out
 * the types.
 */
import { parseArgs } from 'node:util'
import { writeDist } from './bundle.ts'

const { positionals, values } = parseArgs({
  options: { declarations: { type: 'boolean', default: true } },
  allowNegative: true,
  allowPositionals: true,
})
await writeDist(positionals[0] ?? 'dist', values)
