/** Runs commands in order in one shell, and returns the result of each. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { builtCommand } from '#cli/testing/command.ts'
import suite from '../../../package.json' with { type: 'json' }

/** The result of a command. */
export interface CommandResult {
  readonly exit: number
  readonly out: string
  readonly err: string
  /** Statuses of the answers that curl received. */
  readonly statuses: readonly number[]
}

/** The scripts that a page may run: others take long, change the repository, or run this test. */
const scripts = Object.entries(suite.scripts).filter(([name]) => ['start', 'verify', 'check'].includes(name))

/**
 * `npm` and `npx` without npm, which takes longer than what it starts; and a curl that prints statuses and closes
 * endless streams.
 */
const preamble = `
npm() {
  if [ "$1" = run ]; then shift; fi
  local script=$1
  shift
  if [ "$1" = -- ]; then shift; fi
  case $script in
${scripts.map(([name, line]) => `    ${name}) ${line.replace('cli/main.ts', builtCommand)} "$@" ;;`).join('\n')}
    *) echo "npm $script is not run here; name it with a reason in exempt.ts" >&2; return 127 ;;
  esac
}
npx() {
  if [ "$1 $2" != '--no-install work-agent-contract' ]; then echo "npx $* could fetch the package of a stranger" >&2; return 127; fi
  shift 2
  node ${builtCommand} "$@"
}
curl() {
  local code endless=
  case "$*" in *-N*|*__admin/events*|*__admin/stream*) endless='--max-time 3' ;; esac
  command curl -sS --noproxy '*' $endless -w '%{stderr}HTTP %{http_code}\\n' "$@"
  code=$?
  if [ -n "$endless" ] && [ $code = 28 ]; then return 0; fi
  return $code
}
`

/** The environment of this process without options of the commands. */
const clean = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('WORK_AGENT_') && !name.startsWith('npm_')),
)

/** Runs commands in a folder. */
export async function runInShell(
  folder: string,
  commands: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult[]> {
  const file = (i: number, what: string) => join(folder, `.${i}.${what}`)
  const lines = commands.map(
    (text, i) =>
      `{ ${text}\n} >'${file(i, 'out')}' 2>'${file(i, 'err')}' </dev/null; echo $? >'${file(i, 'exit')}'`,
  )
  const path = [dirname(process.execPath), clean.PATH].join(delimiter)
  const shell = spawn('bash', ['-s'], {
    cwd: folder,
    env: { ...clean, PATH: path, ...env },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  shell.stdin.end([preamble, ...lines].join('\n'))
  await once(shell, 'exit')
  const read = (i: number, what: string) => readFileSync(file(i, what), 'utf8')
  return commands.map((_, i) => {
    const err = read(i, 'err')
    const statuses = [...err.matchAll(/^HTTP (\d{3})$/gm)].map(([, status]) => Number(status))
    return { exit: Number(read(i, 'exit')), out: read(i, 'out'), err, statuses }
  })
}
