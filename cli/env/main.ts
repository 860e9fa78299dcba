/** `env`: prints `export NAME=VALUE` lines, for `eval "$(work-agent-contract env)"`. It asks no mock. */
import type { GivenOptions } from '../flags.ts'
import { shellQuote } from '../invocation.ts'

/** Runs `env`: prints the base URL and the credentials of a mock as `export` lines for a shell. */
export async function runEnv(given: GivenOptions): Promise<undefined> {
  const key = String(given.values.key ?? 'wak_test_demo')
  if (!/^[\x21-\x7e]{1,250}$/.test(key))
    throw given.wrong('key', 'takes a key of at most 250 characters without spaces, such as wak_test_ada')
  const variables = {
    WORK_AGENT_BASE_URL: `http://127.0.0.1:${given.port('port', 4402, 1)}`,
    WORK_AGENT_API_KEY: key.startsWith('wak_') ? key : `wak_test_${key}`,
  }
  for (const [name, value] of Object.entries(variables))
    process.stdout.write(`export ${name}=${shellQuote(value)}\n`)
}
