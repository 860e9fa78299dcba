/** Every command, as the page of flags lists them. */
import { checkCommand } from '../check/flags.ts'
import type { CommandLine } from '../flags.ts'
import { mockCommand } from '../mock/flags.ts'
import { openapiCommand } from '../openapi/main.ts'
import { verifyCommand } from '../verify/flags.ts'

export const commandLines: readonly CommandLine[] = [mockCommand, verifyCommand, checkCommand, openapiCommand]
