/** The HTTP clients whose default behaviour is judged, and what fixes what each gets wrong. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface HttpClient {
  readonly name: string
  /** The version on this machine; undefined: it is not here. */
  readonly version: () => string | undefined
  /** What a machine without it lacks. */
  readonly needs: string
  /** The program in `examples/http-clients/`, and what runs it. */
  readonly program: readonly [interpreter: string, file: string]
  /** What it does at its usual settings, in Markdown. */
  readonly usual: string
  /** For each rule that it breaks: the setting or the code that fixes it, in Markdown. */
  readonly fixes: Readonly<Record<string, string>>
}

const folder = 'examples/http-clients'
const node = (file: string) => ['node', `${folder}/${file}`] as const

function installed(name: string): string | undefined {
  try {
    return JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version
  } catch {
    return undefined
  }
}

/** What a command prints that matches; undefined: it fails or prints something else. */
function printed(command: string, args: readonly string[], pattern: RegExp): string | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? pattern.exec(stdout)?.[1] : undefined
}

const npmCi = 'the development packages (`npm ci`)'
const looksFirst = 'no setting: after a lost answer, get the task before you request the run again'

export const clients: readonly HttpClient[] = [
  {
    name: 'axios',
    version: () => installed('axios'),
    needs: npmCi,
    program: node('axios.ts'),
    usual: 'It repeats nothing, and has no time-out.',
    fixes: {
      'retries-503':
        'an interceptor of answers that repeats after a 429 and a 503, and a GET without an answer',
      'finishes-work': `the same interceptor for the 429; for the lost run ${looksFirst}`,
    },
  },
  {
    name: 'ky',
    version: () => installed('ky'),
    needs: npmCi,
    program: node('ky.ts'),
    usual:
      'It repeats a GET twice after 408, 413, 429, 500, 502, 503, 504 or a lost answer, waits as `Retry-After` says, and repeats no POST. Its time-out is 10 s.',
    fixes: {
      'retries-503':
        "for POST, `retry: { limit: 4, methods: ['post'], statusCodes: [429, 503], shouldRetry }`, with a `shouldRetry` that returns `false` for everything but an `HTTPError`",
      'finishes-work': looksFirst,
    },
  },
  {
    name: 'got',
    version: () => installed('got'),
    needs: npmCi,
    program: node('got.ts'),
    usual:
      'It repeats a GET twice after 408, 413, 429, 500, 502, 503, 504, 521, 522, 524 or a lost answer, waits as `Retry-After` says, and repeats no POST. It has no time-out.',
    fixes: {
      'retries-503':
        "for POST, `retry: { limit: 4, methods: ['POST'], statusCodes: [429, 503], errorCodes: [] }`; for every request `timeout: { response: 10_000 }`",
      'finishes-work': looksFirst,
    },
  },
  {
    name: 'undici (RetryAgent)',
    version: () => installed('undici'),
    needs: npmCi,
    program: node('undici.ts'),
    usual:
      'It repeats a GET five times after 429, 500, 502, 503, 504 or a lost answer, waits as `Retry-After` says, at most 30 s, and repeats no POST. It waits 5 minutes for an answer.',
    fixes: {
      'retries-503':
        "for POST, a second agent with `{ methods: ['POST'], statusCodes: [429, 503], errorCodes: [] }`; for both `throwOnError: false`, which leaves the last answer readable",
      'finishes-work': looksFirst,
    },
  },
  {
    name: 'urllib3 (Retry)',
    version: () => printed('python3', ['-c', 'import urllib3; print(urllib3.__version__)'], /^(\S+)/),
    needs: '`python3` with `urllib3`',
    program: ['python3', `${folder}/urllib3_retry.py`],
    usual:
      'With `Retry(total=5, backoff_factor=1, status_forcelist=[429, 502, 503, 504])` it repeats a GET, waits as `Retry-After` says, and repeats no POST. It has no time-out.',
    fixes: {
      'retries-503':
        'for POST, `Retry(total=5, read=False, backoff_factor=1, status_forcelist=[429, 503], allowed_methods=["POST"])`; `allowed_methods=None` alone would also repeat a run whose answer was lost',
      'finishes-work': looksFirst,
    },
  },
  {
    name: 'curl --retry',
    version: () =>
      spawnSync('jq', ['--version']).status === 0 ? printed('curl', ['--version'], /^curl (\S+)/) : undefined,
    needs: '`curl` and `jq`',
    program: ['sh', `${folder}/curl-retry.sh`],
    usual:
      'With `--retry 5` it repeats any request after 408, 429, 500, 502, 503 or 504, also a POST, and waits as `Retry-After` says. It has no time-out.',
    fixes: {
      'finishes-work': `${looksFirst}; \`--retry-all-errors\` would repeat it blindly. \`--max-time 10\` ends a request that hangs, after which \`--retry\` repeats a run blindly too`,
    },
  },
]
