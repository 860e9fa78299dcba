/** The banner: what the mock prints when it listens. URL, credentials and commands to try. */

import type { Settings } from '#mocks/config/options.ts'

/** Everything a client needs; also the content of the ready file. */
export interface Ready {
  readonly url: string
  readonly pid: number
  readonly api_key: string
  readonly other_api_key: string
  readonly session_cookie: string
  /** Contains the admin token, if there is one. */
  readonly states_url: string
  /** The token that control calls must send; absent: none. */
  readonly admin_token?: string
}

const nothing = { scenario: undefined, strictClient: undefined, chaos: undefined, seed: '' }

/** Quotes a word for a shell. */
const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

/** The banner; its `curl` lines work when pasted. */
export function banner(
  ready: Ready,
  settings: Pick<Settings, 'scenario' | 'strictClient' | 'chaos' | 'seed'> = nothing,
): string {
  const { url, api_key, other_api_key, session_cookie, admin_token } = ready
  const { scenario, strictClient, chaos, seed } = settings
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
    ...(chaos === undefined ? [] : [`  chaos           --chaos ${chaos} --seed ${quote(seed)} replays it`]),
    ...(scenario ? [`  scenario        ${scenario.id}: ${scenario.title}`] : []),
    ...(strictClient === undefined
      ? []
      : [`  surprises       --strict-client ${quote(strictClient)} replays them`]),
    '',
    `  curl ${url}/api/cli/whoami ${auth}`,
    `  curl ${url}/api/cli/tasks ${auth} --json '{"text":"Say hello"}'`,
    `  curl ${url}/api/cli/keys -H ${quote(`Cookie: ${session_cookie}`)}`,
    '',
    '  More: docs/client-authors.md, docs/error-cases.md. Ctrl-C stops it.',
    '',
  ].join('\n')
}
