/** The set-ups of HTTP clients in the table of `docs/http-clients.md`, and what runs each. */

/** A set-up: an HTTP client with its settings, and the program that sends requests by it. */
export interface HttpClientSetUp {
  readonly language: string
  readonly library: string
  /** The package that it is installed from, of Debian or of npm. */
  readonly source: { readonly debian: string } | { readonly npm: string }
  /** The program and the name of the set-up in it; the requests follow as arguments. */
  readonly command: readonly string[]
  /** The switch that ends its repeats of POST, in Markdown; undefined: it needs none or has none. */
  readonly fix?: string
}

/** Exact versions of what is installed from npm. */
export const httpClientNpmPackages: Readonly<Record<string, string>> = {
  '@aws-sdk/client-lambda': '3.1164.0',
  '@azure/core-rest-pipeline': '1.24.0',
  '@octokit/core': '7.0.8',
  '@octokit/plugin-retry': '8.1.1',
  alova: '3.5.5',
  'async-retry': '1.3.3',
  axios: '1.21.1',
  'axios-retry': '4.5.0',
  bent: '7.3.12',
  centra: '2.7.0',
  cockatiel: '4.0.0',
  'cross-fetch': '4.1.0',
  'exponential-backoff': '3.1.3',
  'fetch-retry': '6.0.0',
  gaxios: '7.3.1',
  got: '16.1.0',
  ky: '2.1.0',
  'make-fetch-happen': '15.0.6',
  'minipass-fetch': '5.0.2',
  needle: '3.5.0',
  'node-fetch': '3.3.2',
  ofetch: '1.5.1',
  'p-retry': '9.0.0',
  phin: '4.0.0',
  popsicle: '12.1.2',
  request: '2.88.2',
  'retry-axios': '4.0.3',
  stripe: '23.1.0',
  superagent: '10.4.2',
  'teeny-request': '11.1.1',
  'typed-rest-client': '3.1.2',
  undici: '8.13.1',
  urllib: '4.9.2',
  wretch: '2.11.1',
}

const jars = (
  'httpclient httpcore httpclient5 httpcore5 httpcore5-h2 commons-httpclient commons-logging commons-codec ' +
  'okhttp okio slf4j-api'
)
  .split(' ')
  .map((name) => `/usr/share/java/${name}.jar`)
  .join(':')

/** The commands that run and compile the programs of each language, in the folder of the run. */
export const languageCommands = {
  'Node.js': { run: ['node', 'clients.mjs'], compile: [] },
  Python: { run: ['/usr/bin/python3', 'clients.py'], compile: [] },
  Ruby: { run: ['/usr/bin/ruby', 'clients.rb'], compile: [] },
  PHP: { run: ['php', 'clients.php'], compile: [] },
  Perl: { run: ['/usr/bin/perl', 'clients.pl'], compile: [] },
  Java: { run: ['java', '-cp', `.:${jars}`, 'Clients'], compile: ['javac', '-cp', jars, 'Clients.java'] },
  Go: { run: ['./clients-go'], compile: ['go', 'build', '-o', 'clients-go', 'clients.go'] },
  Erlang: { run: ['escript', 'clients.escript'], compile: [] },
  Tcl: { run: ['tclsh', 'clients.tcl'], compile: [] },
  Lua: { run: ['lua5.4', 'clients.lua'], compile: [] },
  Guile: { run: ['guile', '--no-auto-compile', 'clients.scm'], compile: [] },
  Emacs: { run: ['emacs', '--batch', '-l', 'clients.el'], compile: [] },
  Nim: {
    run: ['./clients-nim'],
    compile: ['nim', 'c', '--hints:off', '--nimcache:nim', '-o:clients-nim', 'clients.nim'],
  },
  C: {
    run: ['./clients-c'],
    compile: ['gcc', '-I/usr/include/neon', '-o', 'clients-c', 'clients.c', '-lneon', '-lcurl'],
  },
  'C++': {
    run: ['./clients-cpp'],
    compile: ['g++', '-o', 'clients-cpp', 'clients.cpp', '-lpthread', '-lcpp-httplib'],
  },
  Shell: { run: ['sh', 'clients.sh'], compile: [] },
} as const satisfies Readonly<
  Record<string, { readonly run: readonly string[]; readonly compile: readonly string[] }>
>

/** A programming language that set-ups are written in. */
export type Language = keyof typeof languageCommands

/** Set-ups of a language: the name in its program, the package, and the fix. */
const rows = (
  language: Language,
  from: 'debian' | 'npm',
  table: readonly (readonly [string, string, string?])[],
) =>
  table.map(
    ([library, name, fix]): HttpClientSetUp => ({
      language,
      library,
      source: from === 'npm' ? { npm: name } : { debian: name },
      command: [...languageCommands[language].run, library],
      ...(fix === undefined ? {} : { fix }),
    }),
  )

/** Returns a set-up with its fix applied, which ends the repeats of lost POSTs. */
export const applyFix = (setUp: HttpClientSetUp): HttpClientSetUp => ({
  ...setUp,
  command: setUp.command.with(-1, `${setUp.library}:fixed`),
})

const freshConnect = '`CURLOPT_FRESH_CONNECT`'
const onlyGet = 'repeat GET alone'

/** All set-ups (HTTP clients with their settings) that are measured. */
export const httpClientSetUps: readonly HttpClientSetUp[] = [
  ...rows('Node.js', 'npm', [
    ['fetch', 'node'],
    ['node:http', 'node'],
    ['node:http without keep-alive', 'node'],
    ['undici request', 'undici'],
    ['undici RetryAgent', 'undici'],
    ['undici RetryAgent for POST', 'undici', '`statusCodes: [429, 503], errorCodes: []`'],
    ['axios', 'axios'],
    ['axios-retry', 'axios-retry', '`retryCondition: isIdempotentRequestError`'],
    ['axios-retry exponentialDelay', 'axios-retry', '`retryCondition: isIdempotentRequestError`'],
    ['retry-axios', 'retry-axios'],
    ['ky', 'ky'],
    [
      'ky with methods: POST',
      'ky',
      '`shouldRetry` that is false but for an `HTTPError`, `statusCodes: [429, 503]`',
    ],
    ['got', 'got'],
    ['got with methods: POST', 'got', '`statusCodes: [429, 503], errorCodes: []`'],
    ['ofetch', 'ofetch'],
    ['ofetch retry: 2', 'ofetch', 'no `retry` for POST'],
    ['superagent', 'superagent'],
    [
      'superagent .retry(2)',
      'superagent',
      '`.retry(2, callback)` with a callback that is true for 429 and 503',
    ],
    ['needle', 'needle'],
    ['node-fetch', 'node-fetch'],
    ['cross-fetch', 'cross-fetch'],
    ['gaxios', 'gaxios'],
    ['gaxios retry: true', 'gaxios'],
    ['gaxios for POST', 'gaxios', '`noResponseRetries: 0, statusCodesToRetry: [[429, 429], [503, 503]]`'],
    ['wretch retry()', 'wretch', '`until` that is true but for 429 and 503'],
    ['typed-rest-client allowRetries', 'typed-rest-client'],
    ['@azure/core-rest-pipeline', '@azure/core-rest-pipeline', '`retryOptions: { maxRetries: 0 }`'],
    ['@octokit/core', '@octokit/core'],
    ['@octokit/plugin-retry', '@octokit/plugin-retry', '`retry: { enabled: false }`'],
    ['make-fetch-happen', 'make-fetch-happen'],
    ['make-fetch-happen retry: 2', 'make-fetch-happen'],
    ['minipass-fetch', 'minipass-fetch'],
    ['phin', 'phin'],
    ['centra', 'centra'],
    ['popsicle', 'popsicle'],
    ['alova', 'alova'],
    ['request', 'request'],
    ['bent', 'bent'],
    ['urllib', 'urllib', '`socketErrorRetry: 0`'],
    ['teeny-request', 'teeny-request'],
    ['fetch-retry', 'fetch-retry', '`retryOn` that is false for an error, and true for 503'],
    ['cockatiel around fetch', 'cockatiel', onlyGet],
    ['p-retry around fetch', 'p-retry', '`shouldRetry`: false for a POST'],
    ['async-retry around fetch', 'async-retry', '`bail` for a POST'],
    ['exponential-backoff around fetch', 'exponential-backoff', '`retry`: false for a POST'],
    ['@aws-sdk/client-lambda', '@aws-sdk/client-lambda', '`maxAttempts: 1`'],
    ['stripe', 'stripe', '`maxNetworkRetries: 0` (alone: 2, 2) and `Stripe.createFetchHttpClient()`'],
  ]),
  ...rows('Python', 'debian', [
    ['requests', 'python3-requests'],
    ['requests with Retry', 'python3-requests'],
    ['requests with Retry for POST', 'python3-requests', '`read=False`'],
    ['urllib3', 'python3-urllib3'],
    ['urllib3 with Retry for POST', 'python3-urllib3', '`read=False`'],
    ['httpx', 'python3-httpx'],
    ['aiohttp', 'python3-aiohttp'],
    ['tornado', 'python3-tornado'],
    ['tornado curl_httpclient', 'python3-tornado', '`FRESH_CONNECT` in a `prepare_curl_callback`'],
    ['pycurl', 'python3-pycurl', freshConnect],
    ['urllib.request', 'python3'],
    ['http.client', 'python3'],
    ['httplib2', 'python3-httplib2'],
    ['botocore', 'python3-botocore', "`Config(retries={'max_attempts': 0})`"],
    ['libsoup 2', 'gir1.2-soup-2.4'],
    ['libsoup 3', 'gir1.2-soup-3.0'],
    ['QNetworkAccessManager', 'python3-pyqt5'],
    ['QNetworkAccessManager with a body', 'python3-pyqt5'],
  ]),
  ...rows('Ruby', 'debian', [
    ['Net::HTTP', 'ruby3.1'],
    ['net-http-persistent', 'ruby-net-http-persistent'],
    ['excon', 'ruby-excon'],
    ['excon idempotent: true', 'ruby-excon', '`idempotent: false` for POST'],
    ['faraday', 'ruby-faraday'],
    ['faraday :retry', 'ruby-faraday'],
    ['faraday :retry for POST', 'ruby-faraday', '`exceptions: [Faraday::RetriableResponse]`'],
    ['httparty', 'ruby-httparty'],
    ['rest-client', 'ruby-rest-client'],
    ['typhoeus', 'ruby-typhoeus', '`fresh_connect: true`'],
    ['http.rb', 'ruby-http'],
    ['httpclient', 'ruby-httpclient', 'no switch; override `protect_keep_alive_disconnected` to yield once'],
  ]),
  ...rows('PHP', 'debian', [
    ['curl', 'php8.2-curl', freshConnect],
    ['file_get_contents', 'php8.2-cli'],
    ['guzzle', 'php-guzzlehttp-guzzle', "`'curl' => [CURLOPT_FRESH_CONNECT => true]`"],
    [
      'symfony CurlHttpClient',
      'php-symfony-http-client',
      "`'extra' => ['curl' => [CURLOPT_FRESH_CONNECT => true]]`",
    ],
    [
      'symfony RetryableHttpClient',
      'php-symfony-http-client',
      "`'extra' => ['curl' => [CURLOPT_FRESH_CONNECT => true]]`",
    ],
    ['symfony NativeHttpClient', 'php-symfony-http-client'],
  ]),
  ...rows('Perl', 'debian', [
    ['LWP::UserAgent', 'libwww-perl'],
    ['LWP::UserAgent keep_alive', 'libwww-perl'],
    ['HTTP::Tiny', 'perl'],
    ['Mojo::UserAgent', 'libmojolicious-perl'],
    ['Furl', 'libfurl-perl', '`Connection: close`'],
  ]),
  ...rows('Java', 'debian', [
    ['HttpURLConnection', 'openjdk-17-jre-headless', '`-Dsun.net.http.retryPost=false`'],
    ['java.net.http.HttpClient', 'openjdk-17-jre-headless'],
    ['Apache HttpClient 4', 'libhttpclient-java', '`disableAutomaticRetries()`'],
    ['Apache HttpClient 5', 'libhttpclient5-java', '`disableAutomaticRetries()`'],
    ['Commons HttpClient', 'libcommons-httpclient-java', '`new DefaultHttpMethodRetryHandler(0, false)`'],
    ['OkHttp', 'libokhttp-java', '`retryOnConnectionFailure(false)`'],
  ]),
  ...rows('Go', 'debian', [
    ['net/http', 'golang-1.19-go'],
    ['net/http with Idempotency-Key', 'golang-1.19-go', '`DisableKeepAlives` for such a POST'],
    ['go-retryablehttp', 'golang-github-hashicorp-go-retryablehttp-dev', '`RetryMax = 0`'],
    ['resty', 'golang-github-go-resty-resty-dev'],
    ['resty SetRetryCount(2)', 'golang-github-go-resty-resty-dev', 'no `SetRetryCount` for POST'],
    ['fasthttp', 'golang-github-valyala-fasthttp-dev', '`MaxIdemponentCallAttempts: 1`'],
  ]),
  ...rows('Erlang', 'debian', [['httpc', 'erlang-inets']]),
  ...rows('Tcl', 'debian', [['http', 'tcl']]),
  ...rows('Lua', 'debian', [['socket.http', 'lua-socket']]),
  ...rows('Guile', 'debian', [['(web client)', 'guile-3.0']]),
  ...rows('Emacs', 'debian', [['url.el', 'emacs-nox']]),
  ...rows('Nim', 'debian', [['httpclient', 'nim']]),
  ...rows('C', 'debian', [
    ['libcurl', 'libcurl4', freshConnect],
    ['neon', 'libneon27', '`ne_set_session_flag(session, NE_SESSFLAG_PERSIST, 0)`'],
  ]),
  ...rows('C++', 'debian', [['cpp-httplib', 'libcpp-httplib-dev']]),
  ...rows('Shell', 'debian', [
    ['curl', 'curl'],
    ['curl --retry 3', 'curl', 'no `--retry` for POST'],
    ['curl --retry 3 --retry-all-errors', 'curl', 'no `--retry-all-errors`'],
    ['wget', 'wget', '`--tries=1`'],
    ['wget2', 'wget2', '`--tries=1`'],
    ['http', 'httpie'],
    ['lynx', 'lynx'],
  ]),
]
