/** The command line for a shell, run in this process: a start of Node for each command took most of the time of all pages. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pLimit from 'p-limit'
import { quote } from '#cli/invocation.ts'
import { builtCommand } from '#cli/testing/command.ts'
import { runHere } from '#cli/testing/in-process.ts'
import { isWhole } from '#mocks/testing/sample.ts'

/**
 * Calls by shells: the folder, how many words, the words and the variables, each ended by NUL. The answer is what the
 * shell does: it prints what the call printed, and returns its exit code.
 */
const server = createServer(async (request, response) => {
  const [folder = '', count, ...rest] = (await text(request)).split('\0').slice(0, -1)
  const words = rest.slice(0, Number(count))
  const env = rest.slice(Number(count)).map((one) => /^([^=]*)=(.*)$/s.exec(one)?.slice(1) ?? [])
  const { code, out, err } = await oneAtATime(() => runIn(folder, words, Object.fromEntries(env)))
  response.end(`printf %s ${quote(out)}; printf %s ${quote(err)} >&2; return ${code}`)
})

/** What says by itself what a call of `verify` judges, or judges nothing. */
const chosen = /^--(only|explore-only|explain|judge|list|merge)$/

/** A call with fewer requirements, runs of a client and requests of a search: what is found is not for the pages to test. */
function smaller([command = '', ...words]: readonly string[]): readonly string[] {
  if (command === 'check') return [command, '--runs', '1', ...words]
  if (command !== 'verify' || words.some((word) => chosen.test(word))) return [command, ...words]
  const few = words.map((word, i) => (words[i - 1] === '--explore' ? '20' : word))
  return [command, ...few, '--only', 'DOC-*,AUTH-MISSING-*Task*']
}

/** The folder is that of the whole process. */
const oneAtATime = pLimit(1)

/** Runs a call in a folder; in the gate, a smaller one. */
export async function runIn(folder: string, words: readonly string[], env: NodeJS.ProcessEnv) {
  const before = process.cwd()
  process.chdir(folder)
  return runHere(isWhole ? words : smaller(words), env).finally(() => process.chdir(before))
}

let listening: Promise<unknown> | undefined

/** The function `work_agent` of a shell. A mock beside a command, whose output is its own, is a process. */
export async function callsFromShell(): Promise<string> {
  listening ??= once(server.listen(0, '127.0.0.1').unref(), 'listening')
  await listening
  const { port } = server.address() as AddressInfo
  return `
work_agent() {
  if [[ " $* " == ' mock'*' -- '* ]]; then node ${builtCommand} "$@"; return; fi
  eval "$({ printf '%s\\0' "$PWD" $# "$@"; env -0; } | command curl -sS --noproxy '*' --data-binary @- http://127.0.0.1:${port} || echo return 1)"
}
`
}
