/** The command that repeats a run. */
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
  return ['npx', 'work-agent-contract', 'check', ...flags, '--', ...command].map(quoted).join(' ')
}

/** A word for a shell. */
const quoted = (word: string) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
