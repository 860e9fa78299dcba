/** Verdicts that `npm run world` expects: of `verify` behind each gateway, and of `check` with each client. */

/** The names of the services that are put behind the gateways. */
export const serviceNames = ['mock', 'backend-node', 'backend-python'] as const
/** The name of a service that is put behind the gateways. */
export type ServiceName = (typeof serviceNames)[number]

/** The circumstances in which `verify` runs: the defaults, a rate limit, a restart or lost answers. */
export type VerifySituation = 'defaults' | 'limit' | 'restart' | 'lost answers'

/** The verdict that `verify` must give on a service behind a gateway. */
export interface ExpectedGatewayVerdict {
  readonly gateway: string
  /** The lines of the gateway's configuration, as in `configurations`; unset: its defaults. */
  readonly lines?: string
  readonly services: readonly ServiceName[]
  readonly situation: VerifySituation
  readonly exit: number
  /** The ids of the requirements that fail; no others may. */
  readonly failed: readonly string[]
  /** The id of the recommendation (SHOULD) that is violated. */
  readonly warned?: string
  /** The ids of requirements that may fail or not, depending on which answers are lost. */
  readonly mayFail?: readonly string[]
}

const [all, mockAlone] = [serviceNames, ['mock'] as const]
const clean = { exit: 0, failed: [] } as const
const repeats = { exit: 1, failed: ['PATH-RUN-ONCE'] } as const

const limitOf = (perSecond: number) => `stick-table type ip size 1k expire 10s store http_req_rate(1s)
  http-request track-sc0 src
  http-request %s if { sc_http_req_rate(0) gt ${perSecond} }`
const asPrescribed =
  'return status 429 content-type application/json hdr Retry-After 1 string "{\\"error\\":\\"rate_limited\\",\\"message\\":\\"Too many requests.\\"}"'

/** The verdicts of `verify` that are expected behind each gateway. */
export const expectedGatewayVerdicts: readonly ExpectedGatewayVerdict[] = [
  ...[
    ...['nginx', 'HAProxy', 'Apache', 'Caddy'],
    ...['http-proxy', 'http-proxy-middleware', 'express-http-proxy'],
  ].map((gateway): ExpectedGatewayVerdict => ({ gateway, services: all, situation: 'defaults', ...clean })),
  // They answer a POST without a length with 411.
  ...['lighttpd', 'trafficserver'].map(
    (gateway): ExpectedGatewayVerdict => ({
      ...{ gateway, services: all, situation: 'defaults', ...clean },
      warned: 'PATH-NO-LENGTH',
    }),
  ),
  { gateway: 'Varnish', services: ['mock', 'backend-node'], situation: 'defaults', ...repeats },
  // This backend closes each connection after its answer, so that Varnish has none to reuse and repeats nothing.
  { gateway: 'Varnish', services: ['backend-python'], situation: 'defaults', ...clean },
  {
    gateway: 'Varnish',
    lines: 'sub vcl_recv { if (req.method == "POST") { return (pipe); } }',
    ...{ services: mockAlone, situation: 'defaults', ...clean },
  },
  {
    gateway: 'HAProxy',
    lines: 'retry-on all-retryable-errors',
    ...{ services: mockAlone, situation: 'defaults', ...repeats },
  },
  // Squid removes `Authorization`: no key can work.
  { gateway: 'Squid', services: all, situation: 'defaults', exit: 4, failed: [] },
  { gateway: 'Squid', lines: 'login=PASSTHRU', services: all, situation: 'defaults', ...clean },
  {
    gateway: 'nginx',
    lines: 'limit_req zone=all burst=2 nodelay;',
    ...{ services: mockAlone, situation: 'limit', exit: 1, failed: ['ANSWER-JSON'] },
  },
  {
    gateway: 'nginx',
    lines: 'limit_req zone=all burst=2 nodelay; limit_req_status 429;',
    ...{ services: mockAlone, situation: 'limit', exit: 1, failed: ['ANSWER-JSON', 'LIMIT-RETRY-AFTER'] },
  },
  {
    gateway: 'HAProxy',
    lines: limitOf(15).replace('%s', 'deny deny_status 429'),
    ...{ services: mockAlone, situation: 'limit', exit: 1, failed: ['ANSWER-JSON', 'LIMIT-RETRY-AFTER'] },
  },
  {
    gateway: 'HAProxy',
    lines: limitOf(15).replace('%s', asPrescribed),
    ...{ services: mockAlone, situation: 'limit', ...clean },
  },
  ...['nginx', 'HAProxy'].map(
    (gateway): ExpectedGatewayVerdict => ({ gateway, services: mockAlone, situation: 'restart', ...clean }),
  ),
  { gateway: 'nginx', services: mockAlone, situation: 'lost answers', ...clean },
  { gateway: 'HAProxy', services: mockAlone, situation: 'lost answers', ...clean },
  // A page in HTML with status 500, as if the service had made it.
  {
    ...{ gateway: 'lighttpd', services: mockAlone, situation: 'lost answers' },
    ...{ exit: 1, failed: ['ANSWER-JSON'], mayFail: ['ANSWER-NO-500', 'RUN-ODD-ID'] },
  },
]

/** The verdict that `check` must give on an HTTP client. */
export interface ExpectedClientVerdict {
  readonly client: string
  readonly language: string
  readonly command: readonly string[]
  /** The exit code of `check` with the library's own settings. */
  readonly usual: number
  /** The id of a rule that the client violates with those settings; undefined: any. */
  readonly breaks?: string
  /** The exit code of `check` with the client's fix. */
  readonly fixed: number
}

const folder = 'examples/http-clients'
const ofNpm = (client: string): ExpectedClientVerdict => ({
  client,
  language: 'TypeScript',
  command: ['node', `${folder}/${client}.ts`],
  ...{ usual: 1, fixed: 0 },
})

/** The client sends a lost run again by itself: a default `check` is red. */
const paysTwice = { usual: 1, breaks: 'pays-once', fixed: 0 } as const

/** The verdicts of `check` that are expected for each HTTP client. */
export const expectedClientVerdicts: readonly ExpectedClientVerdict[] = [
  ...['axios', 'ky', 'got', 'undici'].map(ofNpm),
  {
    ...{ client: 'urllib3', language: 'Python', usual: 1, fixed: 0 },
    command: ['python3', `${folder}/urllib3_retry.py`],
  },
  {
    client: 'curl --retry',
    language: 'Shell',
    command: ['sh', `${folder}/curl-retry.sh`],
    usual: 1,
    fixed: 0,
  },
  { client: 'HttpURLConnection', language: 'Java', command: ['java', `${folder}/Work.java`], ...paysTwice },
  { client: 'httpclient', language: 'Ruby', command: ['/usr/bin/ruby', `${folder}/work.rb`], ...paysTwice },
  { client: 'curl extension', language: 'PHP', command: ['php', `${folder}/work.php`], ...paysTwice },
  { client: 'Furl', language: 'Perl', command: ['/usr/bin/perl', `${folder}/work.pl`], ...paysTwice },
]
