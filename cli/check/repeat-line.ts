/** The command that repeats a run, as it works where this one was started. */
import { basename, relative } from 'node:path'
import { isSea } from 'node:sea'
import { type CheckOptions, usualTimeout } from './options.ts'

/** `situation`: the flags that say which run it is. */
export function repeatLine(
  situation: readonly string[],
  {
    command,
    seed,
    strictClient,
    timeout,
  }: Pick<CheckOptions, 'command' | 'seed' | 'strictClient' | 'timeout'>,
): string {
  const flags = [
    ...situation,
    ...(seed === undefined ? [] : ['--seed', seed]),
    ...(strictClient === undefined ? [] : ['--strict-client', strictClient]),
    ...(timeout === usualTimeout ? [] : ['--timeout', `${timeout}ms`]),
  ]
  return [...startedBy(process), ...flags, '--', ...command].map(quoted).join(' ')
}

/** The words that start `check`, as this process was started. */
export function startedBy({
  argv: [node = '', file = ''],
  env,
  cwd,
}: Pick<NodeJS.Process, 'argv' | 'env' | 'cwd'>): string[] {
  if (isSea()) return [node, 'check']
  const isSource = /[\\/]cli[\\/]main\.ts$/.test(file)
  if (isSource && env.npm_lifecycle_event === 'check') return ['npm', 'run', 'check', '--']
  if (/[\\/]node_modules[\\/]/.test(file)) return ['npx', 'work-agent-contract', 'check']
  // Installed for the whole machine.
  if (basename(file) === 'work-agent-contract') return ['work-agent-contract', 'check']
  return ['node', relative(cwd(), file), 'check']
}

/** A word for a shell. */
const quoted = (word: string) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
