/** One call of the command line, which loads the command that it names, and no other. */
import { CommanderError } from 'commander'
import { isSecretName } from '#traffic/secret-names.ts'
import { commandDefinitions, runWithoutCommand } from './command-lines.ts'
import { UsageError } from './files.ts'
import { type GivenOptions, readCommandLine } from './flags.ts'
import { logError } from './screen.ts'

/** Returns the exit code of the call; undefined: 0, or a process that goes on. @throws UsageError for a wrong call. */
type Run = (given: GivenOptions, env: NodeJS.ProcessEnv) => Promise<number | undefined>

const commands: Record<string, Run> = {
  check: async (given, env) => (await import('./check/main.ts')).runCheck(given, env),
  env: async (given) => (await import('./env/main.ts')).runEnv(given),
  fleet: async (given) => (await import('./fleet/main.ts')).writeFleetConfiguration(given),
  health: async (given) => (await import('./health/main.ts')).runHealth(given),
  judge: async (given) => (await import('./judge/main.ts')).runJudge(given),
  mock: async (given, env) => (await import('./mock/main.ts')).runMock(given, env),
  openapi: async (given) => (await import('./openapi/main.ts')).runOpenapi(given),
  proxy: async (given) => (await import('./proxy/main.ts')).runProxy(given),
  // Started by `proxy`, with its flags.
  'proxy-judge': async (given) => (await import('./proxy/judge.ts')).runJudgingProcess(given),
  verify: async (given, env) => (await import('./verify/main.ts')).runVerify(given, env),
}

/** The commands that judge: after an error of their own they exit with 3, since nothing is judged. */
const judges: readonly string[] = ['check', 'judge', 'proxy', 'proxy-judge', 'verify']

/** The secrets among the options of a call and in the environment. */
function secretsOf(call: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const options = call.map((word, i) => {
    const [, name = '', value = call[i + 1]] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? []
    return [name, value] as const
  })
  return [...options, ...Object.entries(env)].flatMap(([name, value]) =>
    value && (isSecretName(name) || /key$/i.test(name)) ? [value] : [],
  )
}

/** Reports an error that is a bug of this program, and where it is, without secrets; returns the exit code. */
async function ownError(call: readonly string[], env: NodeJS.ProcessEnv, error: Error): Promise<number> {
  const { SecretRedactor } = await import('#traffic/redaction.ts')
  const [command = ''] = call
  const [, place = 'an unknown place'] = /\n\s+at ([^\n]+)/.exec(error.stack ?? '') ?? []
  const message = new SecretRedactor(secretsOf(call, env)).text(error.message)
  logError(command, `error in work-agent-contract itself: ${message}, at ${place}; please report it`)
  return judges.includes(command) ? 3 : 1
}

/**
 * Runs a command line such as `['mock', '--port', '0']`; variables in `env` can set options too. A usage error prints
 * one line and returns exit code 2. Returns the exit code; undefined: 0, or a process that goes on.
 */
export async function runCommand(
  call: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  const [name = '', ...argv] = call
  const command = commandDefinitions.find((one) => one.name === name.replace(/^proxy-judge$/, 'proxy'))
  try {
    return command
      ? await commands[name]?.(readCommandLine(command, argv, env, commandDefinitions), env)
      : runWithoutCommand(call)
  } catch (error) {
    const isUsageError = error instanceof UsageError
    if (isUsageError) logError(command?.name ?? 'work-agent-contract', error.message)
    else if (!(error instanceof CommanderError)) return ownError(call, env, error as Error)
    // Commander throws after it has printed help or the version, with its exit code.
    return isUsageError || error.exitCode !== 0 || name === '' ? 2 : undefined
  }
}
