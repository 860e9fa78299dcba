/** The banner: what the mock prints when it listens. URL, credentials, what is not the default, commands to try. */
import type { Settings } from '#mocks/config/options.ts'
import type { RuleReport } from '#mocks/faults/rule.ts'
import { quote } from '../quote.ts'
import { changedFlags, ruleText } from './changes.ts'
import type { Ready } from './ready.ts'

/** The banner; its `curl` lines work when pasted. `state`: where the state is kept. */
export function banner(
  ready: Ready,
  settings: Settings,
  faults: readonly RuleReport[],
  state?: string,
): string {
  const { url, api_key, other_api_key, session_cookie, admin_token } = ready
  const auth = `-H ${quote(`Authorization: Bearer ${api_key}`)}`
  return [
    `Work-agent mock listening on ${url}`,
    '',
    `  API key         ${api_key}`,
    `  other org's key ${other_api_key}   (any wak_test_<name> is a key, with an organization of its own)`,
    `  session cookie  ${session_cookie}`,
    ...(admin_token === undefined
      ? []
      : [`  admin token     ${admin_token}   (X-Admin-Token, or ?token=, for /__admin)`]),
    ...(state === undefined ? [] : [`  state           ${state}`]),
    ...changeLines(settings, faults),
    '',
    `  curl ${url}/api/cli/whoami ${auth}`,
    `  curl ${url}/api/cli/tasks ${auth} --json '{"text":"Say hello"}'`,
    `  curl ${url}/api/cli/keys -H ${quote(`Cookie: ${session_cookie}`)}`,
    '',
    `  More: ${url} in a browser; work-agent-contract help mock. Ctrl-C stops it.`,
    '',
  ].join('\n')
}

/** The scenario, every active fault, and every option that differs from its default. */
function changeLines(settings: Settings, faults: readonly RuleReport[]): string[] {
  const { scenario, strictClient, chaos, seed, options } = settings
  const line = (name: string, text: string) => `  ${name.padEnd(14)}  ${text}`
  const changed = changedFlags(options).join(' ')
  return [
    ...(chaos === undefined ? [] : [line('chaos', `--chaos ${chaos} --seed ${quote(seed)} replays it`)]),
    ...(scenario ? [line('scenario', `${scenario.id}: ${scenario.title}`)] : []),
    ...(strictClient === undefined
      ? []
      : [line('quirks', `--strict-client ${quote(strictClient)} replays them`)]),
    ...faults.map((rule) => line(`fault ${rule.id}`, ruleText(rule))),
    ...(changed === '' ? [] : [line('options', changed)]),
  ]
}
