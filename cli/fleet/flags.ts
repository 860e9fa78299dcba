/** The options of `fleet`. */
import { type CommandLine, flag } from '../flags.ts'

export const fleetCommand: CommandLine = {
  name: 'fleet',
  summary: 'Prints the configuration of HAProxy for several mocks, each with slots of its own.',
  example: '--nodes nodes.json',
  variables: 'WORK_AGENT_FLEET_',
  pages: ['docs/fleet.md', 'docs/flags.md'],
  groups: {
    Fleet: [
      flag('--nodes <FILE>', 'JSON list of the mocks: [{"address":"10.0.0.1:4402","slots":"0-511/1024"}, …]'),
      flag('--bind <address:port>', 'where HAProxy listens (default: 127.0.0.1:4402)'),
    ],
  },
}
