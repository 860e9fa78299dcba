/** What `judge` and `proxy` are told of how to judge. */
import { type Settings, settingsWith } from '#contract-tests/harness/terms.ts'
import { type Given, isHttpUrl, UsageError } from '../flags.ts'

/** What is judged, and how. */
export interface Terms {
  /** Where the traffic comes from, such as the address of the service. */
  readonly source: string
  readonly settings: Settings
  readonly strict: boolean
  readonly side: 'service' | 'client' | 'both'
  /** Says what the verdict on the service is worth, of a history or a recording that is added at once. */
  readonly withStrength?: boolean
}

/** @throws UsageError for what cannot be used. */
export const readTerms = (given: Given) => ({
  settings: settingsWith({
    apiKey: '',
    variant: given.choice('variant', ['auto', 'first', 'second'], 'auto'),
    consistency: given.duration('consistency', 2_000),
  }),
  side: given.choice('side', ['service', 'client', 'both'], 'both'),
})

/** @throws UsageError for what cannot be used. */
export function readProxyOptions(given: Given) {
  const failOn = given.choice('failOn', ['error', 'warning', 'never'], 'error')
  const upstream = originOf(given.text('upstream') ?? '')
  return {
    upstream,
    terms: { ...readTerms(given), source: upstream.origin, strict: failOn === 'warning' },
    failOn,
    har: given.output('har'),
    reports: given.reports(),
    quiet: given.on('quiet'),
  }
}

/** @throws UsageError for what is no address of a service. */
function originOf(text: string): URL {
  const url = isHttpUrl(text) ? new URL(text) : undefined
  if (url?.pathname !== '/' || url.search + url.hash + url.username + url.password !== '')
    throw new UsageError('needs --upstream, a URL without a path, such as https://staging.example')
  return url
}
