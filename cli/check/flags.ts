/** The flags of `check`, one line each. */
import type { CommandLine } from '../flags.ts'

export const checkCommand: CommandLine = {
  name: 'check',
  summary:
    'Judges a client: runs its command once for each scenario, with WORK_AGENT_BASE_URL and WORK_AGENT_API_KEY set.',
  variables: 'WORK_AGENT_CHECK_',
  pages: ['docs/client-authors.md', 'docs/flags.md'],
  operands: '[command...]',
  flags: [
    {
      name: 'scenario',
      value: '<ID>',
      repeatable: true,
      help: 'run the client in this scenario; several with commas (default: all)',
    },
    { name: 'strict', help: 'violated advice (SHOULD) fails the report too' },
    {
      name: 'strict-client',
      value: '<SEED>',
      help: 'answer in every surprising way that the specification allows, in each scenario',
    },
    {
      name: 'timeout',
      value: '<60s>',
      help: 'time for one run of the client; then it is killed (default: 60s)',
    },
    {
      name: 'report',
      value: '<json|junit|md|html|text=FILE>',
      repeatable: true,
      help: 'write the report; several with commas',
    },
    { name: 'quiet', help: 'print the verdict only, and nothing that the client prints' },
    { name: 'list', typedOnly: true, help: 'list the scenarios and the rules that each is about' },
  ],
}
