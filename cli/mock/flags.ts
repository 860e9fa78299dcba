/** The flags of `mock`, one line each. */
import type { CommandLine, Flag } from '../flags.ts'

/** Flags that are options of the mock itself. */
const behaviour: Flag[] = [
  {
    name: 'variant',
    value: '<first|second>',
    help: 'the description to follow where the two differ (default: first)',
  },
  { name: 'extended', negatable: true, help: 'offer the extended route set (default: on)' },
  { name: 'credits', value: '<N>', help: 'Work Credits of each organization (default: 25)' },
  {
    name: 'busy',
    value: '[seconds]',
    help: 'the agent begins busy with other work (default: not; alone: 30)',
  },
  { name: 'rate-limit', value: '<N/Ws|off>', help: 'requests for each key in a window (default: 600/60s)' },
  { name: 'retry-after', value: '<seconds|date>', help: 'form of the Retry-After header (default: seconds)' },
  { name: 'run-duration', value: '<2s>', help: 'length of a run in mock time (default: 2s)' },
  {
    name: 'run-outcome',
    value: '<completed|failed|0..1>',
    help: 'how runs end; a number: the share that fails',
  },
  {
    name: 'force',
    value: '<CODE[@OPERATION]>',
    repeatable: true,
    help: 'answer that error, on one operation or all',
  },
  {
    name: 'fault',
    value: '<RULE>',
    repeatable: true,
    help: 'fault rule: [OPERATION=]FAULT,…[;times=N][;rate=R][;after=N][;seed=S]',
  },
  {
    name: 'chaos',
    value: '<0..1>',
    help: 'share of requests that meet some fault, never more than two in a row',
  },
  {
    name: 'run-progress',
    value: '<time|immediate|polls:N>',
    help: 'how a run comes to its end (default: time)',
  },
  { name: 'journal', value: '<N>', help: 'requests that the journal keeps (default: 10000)' },
  {
    name: 'reason-header',
    negatable: true,
    help: 'say why in X-Mock-Reason on faulted answers (default: on)',
  },
  {
    name: 'past',
    value: '<seeded|none|N>',
    help: 'what organizations begin with; N: so many finished tasks (default: seeded)',
  },
  {
    name: 'top-up',
    value: '<N/Ws>',
    help: 'add N credits so long after a request was refused for want of them',
  },
  {
    name: 'strict-client',
    value: '[seed]',
    help: 'surprise clients in every way that the specification leaves open',
  },
  { name: 'scenario', value: '<ID>', help: 'begin in a scenario; other options win over its own' },
  { name: 'seed', value: '<text>', help: 'seed of all data, ids and chance (default: work-agent)' },
  { name: 'now', value: '<ISO>', help: 'the moment at which mock time starts (default: the real time)' },
  {
    name: 'keys-only',
    value: '<k1,k2>',
    help: 'accept only these keys, each with an organization of its own',
  },
  { name: 'cors', help: 'let web pages of other origins call the API' },
]

/** Flags that are about the process. */
const process: Flag[] = [
  { name: 'port', value: '<N>', help: 'port to listen on; 0: any free one (default: 4402)' },
  { name: 'host', value: '<address>', help: 'address to listen on (default: 127.0.0.1)' },
  { name: 'ready-file', value: '<FILE>', help: 'write URL and credentials there as JSON once it listens' },
  {
    name: 'admin-token',
    value: '<text>',
    help: 'what control calls have to send (default: nothing on this machine, a new one elsewhere)',
  },
  { name: 'list-scenarios', typedOnly: true, help: 'print the scenarios and stop' },
  { name: 'log', value: '<human|json|off>', help: 'one line for each request (default: human)' },
]

export const mockCommand: CommandLine = {
  name: 'mock',
  summary: 'Serves an in-memory work-agent service that behaves by the contract.',
  variables: 'WORK_AGENT_MOCK_',
  pages: ['docs/client-authors.md', 'docs/error-cases.md', 'docs/flags.md'],
  flags: [...behaviour, ...process],
}
