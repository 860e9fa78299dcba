/** Every command, in the order of the help and of `docs/flags.md`. */
import { checkCommand } from './check/flags.ts'
import { envCommand } from './env/flags.ts'
import type { CommandLine } from './flags.ts'
import { fleetCommand } from './fleet/flags.ts'
import { healthCommand } from './health/flags.ts'
import { judgeCommand } from './judge/flags.ts'
import { mockCommand } from './mock/flags.ts'
import { openapiCommand } from './openapi/flags.ts'
import { proxyCommand } from './proxy/flags.ts'
import { verifyCommand } from './verify/flags.ts'

export const commandLines: readonly CommandLine[] = [
  mockCommand,
  verifyCommand,
  checkCommand,
  judgeCommand,
  proxyCommand,
  openapiCommand,
  envCommand,
  healthCommand,
  fleetCommand,
]
