/** Options of `judge` and `proxy` that say how to judge. */
import { suiteSettingsForRecordedTraffic } from '#mocks/edges/recording/terms.ts'
import { type GivenOptions, isHttpUrl, UsageError } from '../flags.ts'

/**
 * Reads the flags of `judge`: which side's traffic is judged, and by which settings. @throws UsageError for an invalid
 * option.
 */
export const readJudgementTerms = (given: GivenOptions) => ({
  settings: suiteSettingsForRecordedTraffic({
    variant: given.choice('variant', ['auto', 'first', 'second'], 'auto'),
    consistency: given.duration('consistency', 2_000),
  }),
  side: given.choice('side', ['service', 'client', 'both'], 'both'),
})

/** Reads the options of `proxy`. @throws UsageError for an invalid option. */
export function readProxyOptions(given: GivenOptions) {
  const failOn = given.choice('failOn', ['error', 'warning', 'never'], 'error')
  const upstream = originOf(given.text('upstream') ?? '')
  const [host, port] = [given.text('host') ?? '127.0.0.1', given.port('port', 4403)]
  const isHere = [host, upstream.hostname].every((name) => local.includes(name)) || host === upstream.hostname
  if (isHere && Number(upstream.port || 80) === port)
    throw given.wrong('upstream', 'is where the proxy itself listens; --port takes another port')
  return {
    upstream,
    host,
    port,
    terms: { ...readJudgementTerms(given), source: upstream.origin, strict: failOn === 'warning' },
    failOn,
    har: given.output('har'),
    reports: given.reports(),
    quiet: given.on('quiet'),
  }
}

/** Names under which a process of this machine reaches itself. */
const local = ['localhost', '127.0.0.1', '::1', '[::1]', '0.0.0.0', '::', '[::]']

/** @throws UsageError for what is no address of a service. */
function originOf(text: string): URL {
  const url = isHttpUrl(text) ? new URL(text) : undefined
  if (url?.pathname !== '/' || url.search + url.hash + url.username + url.password !== '')
    throw new UsageError('needs --upstream, a URL without a path, such as https://staging.example')
  return url
}
