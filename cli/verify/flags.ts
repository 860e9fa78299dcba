/** The options of `verify`. */
import { type CommandLine, flag, repeatable } from '../flags.ts'

export const verifyCommand: CommandLine = {
  name: 'verify',
  summary: 'Tests a service with the conformance suite; without a base URL, the embedded mock.',
  example: 'https://service.example --api-key "$KEY" --max-credits 20 --report junit=report.xml',
  variables: 'WORK_AGENT_',
  pages: ['docs/backend-teams.md', 'docs/flags.md'],
  otherVariables: ['WORK_AGENT_MOCK_', 'WORK_AGENT_CHECK_', 'WORK_AGENT_OPENAPI_', 'WORK_AGENT_HEALTH_'],
  operands: '[base-url]',
  groups: {
    Service: [
      flag('--base-url <URL>', 'the service, if no [base-url] is given'),
      flag('--api-key <K>', 'API key of the organization under test'),
      flag('--other-api-key <K>', 'API key of a second organization, to test isolation'),
      flag('--session-cookie <name=value>', 'browser session of the first organization, for the key routes'),
      flag(
        '--other-session-cookie <name=value>',
        'browser session of the second organization, to test isolation of keys',
      ),
      flag('--states-url <URL>', 'endpoint that sets up provider states'),
      repeatable('--header <name: value>', 'header of every request to the service, as a gateway may demand'),
      repeatable('--states-header <name: value>', 'header of every request to the states endpoint'),
      flag('--ca <FILE>', 'certificates to trust, in PEM form, besides those of Node'),
      flag('--insecure', 'accept any certificate'),
      flag('--variant <auto|first|second>', 'description to test against (default: auto, for each route)'),
      flag(
        '--extended <auto|on|off>',
        'whether the service has the extended route set (default: auto, detected)',
      ),
    ],
    Limits: [
      flag('--max-credits <N>', 'Work Credits that the run may spend (default: 0; embedded mock: 20)'),
      flag('--read-only', 'create, change and spend nothing'),
      flag(
        '--probe-rate-limit <N>',
        'requests that the run may send to provoke a 429 if no state sets one up (default: 0)',
      ),
      flag('--run-timeout <60s>', 'time for a run to finish, and for what follows it (default: 60s)'),
      flag(
        '--consistency <2s>',
        'how long a list, a balance or a deleted key may lag behind; any lag is a SHOULD finding (default: 2s)',
      ),
      flag('--outage <10s>', 'time to wait for a service that is away, as while it restarts (default: 10s)'),
      flag('--timeout <10s>', 'time for one response (default: 10s)'),
      flag('--retry-limit <2m>', 'longest wait for one response that Retry-After may ask for (default: 2m)'),
      flag('--concurrency <N>', 'requirements tested in parallel, where possible (default: 8)'),
    ],
    Selection: [
      repeatable('--only <ID|glob>', 'test these requirements'),
      repeatable('--skip <ID|glob>', 'leave these requirements out'),
      flag('--shard <i/n>', 'test one of n parts, each on a machine of its own; join them with --merge'),
      flag('--level <MUST|SHOULD|MAY>', 'test this level and those above it (default: MAY, all)'),
    ],
    Search: [
      flag(
        '--explore <60s|500>',
        'search for sequences, crowds and races that break a requirement, for a time or a number of steps',
      ),
      flag('--explore-only', 'search without testing the catalogue'),
      flag('--explore-seed <N>', 'seed of the search (default: 1)'),
      flag('--explore-clients <N>', 'most requests at once (default: 8)'),
      flag(
        '--explore-findings <DIR>',
        'keep what the search finds there, try it first in each later run, and mark what is fixed',
      ),
      flag('--explore-replay <FILE>', 'try a found history again, without the catalogue'),
    ],
    Result: [
      flag('--strict', 'a violated SHOULD fails the run too'),
      flag('--require-complete', 'requirements that are not exercised make the run incomplete (exit 3)'),
      flag(
        '--expected-failures <FILE>',
        'known failures: [{ "id", "reason", "expires"? }], or { "failures": […], "unexercised": […] }',
      ),
      repeatable('--report <json|junit|md|html|text=FILE>', 'write a report; several with commas'),
      flag(
        '--strength',
        'say how many violations in what it saw a green run would have noticed, without traffic',
      ),
      flag('--history <FILE>', 'write what was sent and answered as NDJSON, without secrets, for --judge'),
      flag('--quiet', 'print the verdict only'),
      flag('--verbose', 'print passed requirements too'),
    ],
  },
  queries: [
    flag('--list', 'list the requirements, without traffic'),
    flag('--json', 'with --list: as JSON'),
    flag(
      '--explain <ID>',
      'print the rule behind a requirement, its fields, steps, unusual inputs, needs, cost and proof',
    ),
    repeatable('--merge <REPORT.json>', 'join the JSON reports of all shards into one, without traffic'),
    flag('--judge <FILE>', 'judge a history that --history wrote, without traffic'),
    flag('--plan', 'print what a run would test and cost, and how long it would take, without traffic'),
    flag('--latency <60ms|measure>', 'with --plan: time to an answer, or measure it by five free requests'),
    flag('--run <2s>', 'with --plan: the length of a run (default: 2s)'),
    flag('--rate <N/Ws|off>', 'with --plan: the limit of each key (default: off)'),
  ],
}
