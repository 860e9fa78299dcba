/** The words that start a command the way this process was started, so that printed command lines work when pasted. */
import { basename, relative } from 'node:path'
import { isSea } from 'node:sea'

/** The scripts of a clone, by the command that they run. */
const scripts: Readonly<Record<string, readonly string[]>> = {
  mock: ['npm', 'start', '--'],
  check: ['npm', 'run', 'check', '--'],
}

/**
 * The words with which the user started a command, up to its flags, such as `npx work-agent-contract verify`, so that
 * printed command lines work.
 */
export function invocationOf(
  command: 'mock' | 'check',
  { argv: [node = '', file = ''], env, cwd }: Pick<NodeJS.Process, 'argv' | 'env' | 'cwd'>,
): readonly string[] {
  if (isSea()) return [node, command]
  const isSource = /[\\/]cli[\\/]main\.ts$/.test(file)
  const script = scripts[command] ?? []
  if (isSource && script.includes(env.npm_lifecycle_event ?? '')) return script
  if (/[\\/]node_modules[\\/]/.test(file)) return ['npx', '--no-install', 'work-agent-contract', command]
  // Installed for the whole machine.
  if (basename(file) === 'work-agent-contract') return ['work-agent-contract', command]
  return ['node', relative(cwd(), file), command]
}

/** Quotes a word for a shell. */
export const shellQuote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

/** Quotes a word for a shell only if the shell would not take it literally. */
export const shellQuoteIfNeeded = (word: string) => (/^[\w./:=@%+,-]+$/.test(word) ? word : shellQuote(word))
