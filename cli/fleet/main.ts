/** `fleet`: prints the configuration of a balancer for several mocks. */
import { readCommandLine, UsageError } from '../flags.ts'
import { Values } from '../values.ts'
import { addressText, configurationOf, readNodes } from './configuration.ts'
import { fleetCommand } from './flags.ts'

export async function runFleet(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<undefined> {
  const given = readCommandLine(fleetCommand, argv, env)
  const values = new Values(given)
  const file = values.text('nodes')
  if (given.operands.length > 0 || file === undefined)
    throw new UsageError('needs --nodes FILE, a JSON list of mocks, and takes nothing else')
  const bind = values.text('bind') ?? '127.0.0.1:4402'
  if (!addressText.safeParse(bind).success)
    throw new UsageError(`${given.sourceOf('bind')} takes a host and a port, such as 0.0.0.0:4402`)
  process.stdout.write(configurationOf(readNodes(file), bind))
}
