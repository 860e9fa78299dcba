/** HTTP libraries that send a paid request again by themselves, as measured: how each is recognized, and what stops it. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { requestHeaderOf } from './entries.ts'

/** An HTTP library, as its default headers give it away. */
interface HttpLibrary {
  readonly name: string
  /** Recognizes its `User-Agent`; empty: it sends none. */
  readonly agent: RegExp
  /** Recognizes its `Accept` and `Accept-Encoding`, where it sends no `User-Agent` of its own. */
  readonly accept?: RegExp
  readonly encoding?: RegExp
  /** When it repeats, in words; unset: always. */
  readonly when?: string
  /** True if it repeats after an error of a gateway as well; unset: only where the connection broke. */
  readonly afterErrors?: true
  /** The setting that stops it; unset: none is known. */
  readonly stop?: string
}

const onReused = 'on a connection that was used before'

const libraries: readonly HttpLibrary[] = [
  { name: 'HttpURLConnection', agent: /^Java\//, stop: '-Dsun.net.http.retryPost=false' },
  { name: 'OkHttp', agent: /^okhttp\//, when: onReused, stop: 'retryOnConnectionFailure(false)' },
  {
    name: 'Commons HttpClient',
    agent: /^Jakarta Commons-HttpClient\//,
    stop: 'new DefaultHttpMethodRetryHandler(0, false)',
  },
  { name: 'curl', agent: /^curl\//, when: 'with --retry', afterErrors: true, stop: 'the command without it' },
  { name: 'wget', agent: /^Wget\//, stop: '--tries=1' },
  {
    name: 'libcurl',
    agent: /\bcurl\/|libcurl|^GuzzleHttp\/|^Symfony HttpClient|^Typhoeus/i,
    when: onReused,
    stop: 'CURLOPT_FRESH_CONNECT',
  },
  { name: 'libcurl', agent: /^$/, accept: /^\*\/\*$/, when: onReused, stop: 'CURLOPT_FRESH_CONNECT' },
  { name: 'Furl', agent: /^Furl::HTTP\//, when: onReused, stop: 'Connection: close' },
  { name: 'fasthttp', agent: /^fasthttp/, stop: 'MaxIdemponentCallAttempts: 1' },
  {
    name: 'net/http of Go',
    agent: /^Go-http-client\//,
    when: `${onReused}, if the request has an Idempotency-Key`,
    stop: 'a request without it',
  },
  { name: 'httpclient of Ruby', agent: /^HTTPClient\// },
  { name: 'Excon', agent: /^excon\//, when: 'with idempotent: true', stop: 'idempotent: false' },
  { name: 'httplib2', agent: /^Python-httplib2\// },
  { name: 'Chromium', agent: /\b(?:Headless)?Chrome\//, when: `${onReused}, and no page can stop that` },
  {
    name: 'axios',
    agent: /^axios\//,
    when: 'with axios-retry at its defaults',
    stop: 'retryCondition: isIdempotentRequestError',
  },
  {
    name: 'superagent',
    agent: /^$/,
    accept: /^$/,
    encoding: /^gzip, deflate$/,
    when: 'with .retry(n)',
    afterErrors: true,
    stop: 'a callback of .retry() that is true for 429 and 503',
  },
  {
    name: '@azure/core-rest-pipeline',
    agent: /^(?:azsdk-js-\S+ )?core-rest-pipeline\//,
    afterErrors: true,
    stop: 'maxRetries: 0',
  },
  { name: 'openai', agent: /^OpenAI\/JS /, afterErrors: true, stop: 'maxRetries: 0' },
  {
    name: 'octokit',
    agent: /^octokit-core\.js\//,
    when: 'with @octokit/plugin-retry',
    afterErrors: true,
    stop: 'retry: { enabled: false }',
  },
]

/** The HTTP library that sent a request again by itself, as far as its headers tell. `first`: the original request. */
export function retryingLibraryOf(entry: JournalEntry, first: JournalEntry): HttpLibrary | undefined {
  const sent = (name: string) => requestHeaderOf(entry, name) ?? ''
  return libraries.find(
    (one) =>
      one.agent.test(sent('user-agent')) &&
      (one.accept?.test(sent('accept')) ?? true) &&
      (one.encoding?.test(sent('accept-encoding')) ?? true) &&
      (one.afterErrors || first.wire !== null) &&
      (one.when?.startsWith(onReused) !== true || isElsewhere(entry, first)),
  )
}

/** True if the first request came on a reused connection, and its repeat on another one. */
const isElsewhere = (entry: JournalEntry, first: JournalEntry) =>
  first.follows !== null && entry.follows !== first.id
