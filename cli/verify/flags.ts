/** The flags of `verify`, one line each. */
import type { CommandLine } from '../flags.ts'

export const verifyCommand: CommandLine = {
  name: 'verify',
  summary: 'Judges a service by the conformance suite; without a base URL, the embedded mock.',
  variables: 'WORK_AGENT_',
  pages: ['docs/backend-teams.md', 'docs/flags.md'],
  otherVariables: ['WORK_AGENT_MOCK_', 'WORK_AGENT_CHECK_'],
  operands: '[base-url]',
  flags: [
    { name: 'base-url', value: '<URL>', help: 'the service, where no [base-url] is given' },
    { name: 'api-key', value: '<K>', help: 'key of the organization under test' },
    { name: 'other-api-key', value: '<K>', help: 'key of a second organization, for isolation' },
    {
      name: 'session-cookie',
      value: '<name=value>',
      help: 'browser session of the first organization, for the key routes',
    },
    {
      name: 'other-session-cookie',
      value: '<name=value>',
      help: 'browser session of the second organization, for isolation of keys',
    },
    { name: 'states-url', value: '<URL>', help: 'where the provider offers states' },
    {
      name: 'variant',
      value: '<auto|first|second>',
      help: 'the description to hold the service to (default: auto, for each route)',
    },
    {
      name: 'extended',
      value: '<auto|on|off>',
      help: 'whether the extended route set is offered (default: auto, found out)',
    },
    {
      name: 'max-credits',
      value: '<N>',
      help: 'Work Credits that may be spent (default: 0; embedded mock: 20)',
    },
    { name: 'read-only', help: 'create, change and spend nothing' },
    {
      name: 'probe-rate-limit',
      value: '<N>',
      help: 'requests that may be sent to meet a 429 where no state arranges one (default: 0)',
    },
    {
      name: 'run-timeout',
      value: '<60s>',
      help: 'time for a run to end, and for what follows it (default: 60s)',
    },
    { name: 'timeout', value: '<10s>', help: 'time for one answer (default: 10s)' },
    {
      name: 'concurrency',
      value: '<N>',
      help: 'requirements judged side by side, where they may be (default: 4)',
    },
    { name: 'only', value: '<ID|glob>', repeatable: true, help: 'judge these requirements' },
    { name: 'skip', value: '<ID|glob>', repeatable: true, help: 'leave these requirements out' },
    {
      name: 'level',
      value: '<MUST|SHOULD|MAY>',
      help: 'judge this level and those above (default: MAY, all)',
    },
    { name: 'strict', help: 'a SHOULD finding fails the run too' },
    { name: 'require-complete', help: 'what is not exercised makes the run incomplete (exit 3)' },
    { name: 'expected-failures', value: '<FILE>', help: 'known failures: [{ "id", "reason", "expires"? }]' },
    {
      name: 'report',
      value: '<json|junit|md|html|text=FILE>',
      repeatable: true,
      help: 'write a report; several with commas',
    },
    { name: 'quiet', help: 'print the verdict only' },
    { name: 'verbose', help: 'print what passed too' },
    { name: 'list', typedOnly: true, help: 'list the requirements, without traffic' },
    { name: 'json', typedOnly: true, help: 'with --list: as JSON' },
    {
      name: 'explain',
      typedOnly: true,
      value: '<ID>',
      help: 'say what a requirement demands, and what it needs',
    },
    { name: 'plan', typedOnly: true, help: 'say what would run and cost, without traffic' },
  ],
}
