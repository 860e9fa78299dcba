/** Runs every command of a page in order in one shell, with the mocks that the page starts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import pLimit from 'p-limit'
import { shellQuote } from '#cli/invocation.ts'
import { builtCliPath } from '#cli/testing/command.ts'
import { environmentForTests, runCliInProcess } from '#cli/testing/in-process.ts'
import { startProcessUntilReady } from '#cli/testing/run.ts'
import { createMock, listen } from '#mocks/index.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import suite from '../../../package.json' with { type: 'json' }
import { exemptCommands } from './exempt.ts'
import { createRepositoryClone } from './folder.ts'
import type { Block, Page } from './pages.ts'

/** The result of one command of a page: what it printed, and its exit code. */
export type CommandResult = Awaited<ReturnType<typeof runInShell>>[number]

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
${scripts.map(([name, line]) => `    ${name}) ${line.replace('node cli/main.ts', 'work_agent')} "$@" ;;`).join('\n')}
    *) echo "npm $script is not run here; name it with a reason in exempt.ts" >&2; return 127 ;;
  esac
}
npx() {
  if [ "$1 $2" != '--no-install work-agent-contract' ]; then echo "npx $* could fetch the package of a stranger" >&2; return 127; fi
  shift 2
  work_agent "$@"
}
curl() {
  case "$*" in *-N*|*__admin/events*|*__admin/stream*) stream "$@"; return 0 ;; esac
  command curl -sS --noproxy '*' -w '%{stderr}HTTP %{http_code}\\n' "$@"
}
# However long it takes to begin: from then on for two seconds.
stream() {
  local head=$(mktemp) pid
  command curl -sSN --noproxy '*' -D "$head" "$@" &
  pid=$!
  until grep -q '^HTTP/' "$head" || ! kill -0 $pid 2>/dev/null; do sleep 0.1; done
  sleep 2
  kill $pid 2>/dev/null
  wait $pid 2>/dev/null
  echo "HTTP $(awk 'NR == 1 { print $2 }' "$head")" >&2
  rm "$head"
}
`

/** Runs commands one after another; the statuses are those of the answers that curl received. */
async function runInShell(folder: string, commands: readonly string[]) {
  const file = (i: number, what: string) => join(folder, `.${i}.${what}`)
  const lines = commands.map(
    (text, i) =>
      `{ ${text}\n} >'${file(i, 'out')}' 2>'${file(i, 'err')}' </dev/null; echo $? >'${file(i, 'exit')}'`,
  )
  const path = [dirname(process.execPath), environmentForTests.PATH].join(delimiter)
  const shell = spawn('bash', ['-s'], {
    cwd: folder,
    env: { ...environmentForTests, PATH: path },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  shell.stdin.end([await workAgentShellFunction(), preamble, ...lines].join('\n'))
  await once(shell, 'exit')
  const read = (i: number, what: string) => readFileSync(file(i, what), 'utf8')
  return commands.map((_, i) => {
    const err = read(i, 'err')
    const statuses = [...err.matchAll(/^HTTP (\d{3})$/gm)].map(([, status]) => Number(status))
    return { exit: Number(read(i, 'exit')), out: read(i, 'out'), err, statuses }
  })
}

/** The address on the pages. */
const address = 'http://127.0.0.1:4402'

/** Commands to run before another, on a generated page that has no set-up of its own. */
const setUp: Readonly<Record<string, string>> = {
  'curl $MOCK/__admin/requests/wait': [1, 2]
    .map(
      (n) => `T${n}=$(curl $MOCK/api/cli/tasks -H "$KEY" --json '{"text":"a"}' | grep -o 'task_[a-z0-9]*')
curl -X POST $MOCK/api/cli/tasks/$T${n}/run -H "$KEY"
curl -X PUT $MOCK/__admin/clock --json '{"action":"advance","by":"1h"}'`,
    )
    .join('\n'),
}

/** True if a code block contains shell commands. */
export const isShell = ({ language }: Block): boolean => ['sh', 'bash', 'shell', 'console'].includes(language)

/** The commands in the shell blocks of a page. */
export const shellCommandsOf = ({ blocks }: Page): Command[] => blocks.filter(isShell).flatMap(commandsOf)

/** Runs all commands of a page in one shell; returns their results by line. */
export async function runPageCommands(page: Page): Promise<ReadonlyMap<number, CommandResult>> {
  const folder = createRepositoryClone()
  const mocks = new Map<string, RunningPageMock>()
  try {
    const flags = new Set(['', ...shellCommandsOf(page).flatMap(({ text }) => startedBy(text) || [])])
    await Promise.all(
      [...flags].map(async (one) =>
        mocks.set(one, await (one ? startWith(one, folder) : startDefaultMock())),
      ),
    )
    for (const { file, text, language } of page.blocks)
      if (file && language === 'json') writeFileSync(join(folder, file), text)
    const lines = scriptOf(page, (one) => mocks.get(one) as RunningPageMock)
    const outcomes = await runInShell(folder, [...lines.values()])
    return new Map([...lines.keys()].map((line, i) => [line, outcomes[i] as CommandResult]))
  } finally {
    await Promise.all([...mocks.values()].map((mock) => mock.stop()))
    rmSync(folder, { recursive: true })
  }
}

/**
 * The lines for the shell, by line of the page. Each block uses the plain mock or the one that it started last;
 * variables with an address are set again for it.
 */
function scriptOf(page: Page, mockOf: (flags: string) => RunningPageMock): Map<number, string> {
  const variables: string[] = []
  const lines = new Map<number, string>()
  for (const block of page.blocks.filter(isShell)) {
    let mock = mockOf('')
    let isSet = false
    for (const { text, line } of commandsOf(block)) {
      const flags = startedBy(text)
      if (flags !== undefined) mock = mockOf(flags)
      const again = !isSet || flags !== undefined ? variables : []
      isSet = true
      if (/^\w+=\S+$/.test(text) && text.includes(address)) variables.push(text)
      const need = Object.keys(setUp).find((one) => text.startsWith(one)) ?? ''
      const first = setUp[need] === undefined ? [] : [`{ ${setUp[need]}\n} >/dev/null 2>&1`]
      const started = mock.problem === undefined ? ':' : `echo ${shellQuote(mock.problem)} >&2; false`
      const run = flags !== undefined ? started : text in exemptCommands ? ':' : text
      const words = [...again, ...first, run].join('\n')
      lines.set(line, words.replaceAll(address, `http://127.0.0.1:${mock.port}`))
    }
  }
  return lines
}

type Command = ReturnType<typeof readCommand>

/** Splits a block into commands. A line that ends with a backslash continues on the next. */
function commandsOf(block: Block): Command[] {
  const commands: Command[] = []
  let pending: string[] = []
  for (const [i, line] of block.text.split('\n').entries()) {
    if (pending.length === 0 && /^\s*(#.*)?$/.test(line)) continue
    pending.push(line)
    if (line.endsWith('\\')) continue
    const at = block.line + i + 1 - pending.length
    commands.push(readCommand(at, pending.join('\n')))
    pending = []
  }
  return commands
}

function readCommand(line: number, written: string) {
  const [, text = written, comment = ''] = /^(.*?)\s{2,}# ([^\n]*)$/s.exec(written) ?? []
  const [, exit = '0'] = /^exit (\d+)$/.exec(comment) ?? []
  const [, status, contains] = /^(\d{3})(?: (.+))?$/.exec(comment) ?? []
  return {
    line,
    /** Without its comment. */
    text: text.trim(),
    /** `# exit 1`; default: 0. */
    exit: Number(exit),
    /** `# 402 no_credits`; undefined: any success. */
    status: status ? Number(status) : undefined,
    /** Text that the answer contains: what follows the status. */
    contains,
  }
}

/** A mock that a page starts by a command and leaves running. */
export interface RunningPageMock {
  readonly port: number
  /** The reason why it could not start; undefined if it runs. */
  readonly problem?: string
  stop(): Promise<void>
}

/** The flags of a command that starts a mock and leaves it running; undefined: the command does something else. */
function startedBy(command: string): string | undefined {
  const [, flags] =
    /^(?:npm start(?: --)?|npx --no-install work-agent-contract mock)((?: .*)?)$/.exec(command) ?? []
  return flags === undefined || / (?:--list-scenarios|-- )/.test(flags) ? undefined : flags.trim()
}

/**
 * Starts a mock as `npm start` creates it, without a process. Its clock is frozen, so that no page depends on speed;
 * the usual rate limit would then never be reset, so a higher one is set.
 */
export async function startDefaultMock(): Promise<RunningPageMock> {
  const mock = createMock({ rateLimit: '100000/60s' })
  mock.clock.freeze()
  const { url, close } = await listen(mock)
  return { port: Number(new URL(url).port), stop: close }
}

/** A mock with flags, in the folder of the page; one that cannot start says why. */
async function startWith(flags: string, folder: string): Promise<RunningPageMock> {
  const line = `exec node ${builtCliPath} mock ${flags} --port 0 --log json`
  // Environment as npm sets it: the mock then stops with its parent.
  const env = { ...process.env, npm_lifecycle_event: 'start' }
  const begun = startProcessUntilReady('bash', ['-c', line], { cwd: folder, env })
  const started = await begun.catch((error) => String(error))
  if (typeof started === 'string') return { port: 0, problem: started, stop: async () => undefined }
  return {
    port: Number(new URL(started.ready.url).port),
    async stop() {
      const code = await started.stop('SIGTERM')
      if (code !== 0) throw new Error(`${line}: stopped with ${code}`)
    },
  }
}

/**
 * Runs the calls of shells to the command line in this process: starting Node for each took most of the time of all
 * pages. A call is the folder, the number of words, the words and the variables, each ended by NUL. The answer is shell
 * code: it prints what the call printed, and returns its exit code.
 */
const server = createServer(async (request, response) => {
  const [folder = '', count, ...rest] = (await text(request)).split('\0').slice(0, -1)
  const words = rest.slice(0, Number(count))
  const env = rest.slice(Number(count)).map((one) => /^([^=]*)=(.*)$/s.exec(one)?.slice(1) ?? [])
  const { code, out, err } = await oneAtATime(() => runCliInFolder(folder, words, Object.fromEntries(env)))
  response.end(`printf %s ${shellQuote(out)}; printf %s ${shellQuote(err)} >&2; return ${code}`)
})

/** Flags by which a call judges only a part, or nothing. */
const chosen: Readonly<Record<string, RegExp>> = {
  check: /^--(fault|every-fault|pairs)$/,
  verify: /^--(only|explore-only|explain|judge|list)$/,
}

/**
 * A call with fewer requirements, runs of a client and requests of a search: the pages do not depend on what is found.
 */
function smaller([command = '', ...words]: readonly string[]): readonly string[] {
  if (words.some((word) => chosen[command]?.test(word))) return [command, ...words]
  if (command === 'check') return [command, '--runs', '1', ...words]
  if (command !== 'verify') return [command, ...words]
  const few = words.map((word, i) => (words[i - 1] === '--explore' ? '20' : word))
  return [command, ...few, '--only', 'DOC-*,AUTH-MISSING-*Task*']
}

/** One call at a time: all calls share the working directory of the process. */
const oneAtATime = pLimit(1)

/** Runs a command line in a folder; in the gate, a smaller one in its place. */
export async function runCliInFolder(folder: string, words: readonly string[], env: NodeJS.ProcessEnv) {
  const before = process.cwd()
  process.chdir(folder)
  return runCliInProcess(isExhaustiveTestRun ? words : smaller(words), env).finally(() =>
    process.chdir(before),
  )
}

let listening: Promise<unknown> | undefined

/**
 * Writes the shell function `work_agent`, which runs command lines in this process. `mock -- COMMAND` runs as a
 * process, since the command prints by itself.
 */
export async function workAgentShellFunction(): Promise<string> {
  listening ??= once(server.listen(0, '127.0.0.1').unref(), 'listening')
  await listening
  const { port } = server.address() as AddressInfo
  return `
work_agent() {
  if [[ " $* " == ' mock'*' -- '* ]]; then node ${builtCliPath} "$@"; return; fi
  eval "$({ printf '%s\\0' "$PWD" $# "$@"; env -0; } | command curl -sS --noproxy '*' --data-binary @- http://127.0.0.1:${port} || echo return 1)"
}
`
}
