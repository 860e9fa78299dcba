/** The commands of a shell block, and what the comment beside each claims. */
import type { Block } from './pages.ts'

export interface Command {
  readonly page: string
  readonly line: number
  /** Without its comment. */
  readonly text: string
  /** `# exit 1`; 0 where nothing is said. */
  readonly exit: number
  /** `# 402 no_credits`; undefined: a success. */
  readonly status: number | undefined
  /** What the answer holds: the words behind the status. */
  readonly holds: string | undefined
}

/** Takes a block apart. A command goes on where its line ends with a backslash. */
export function commandsOf(block: Block): Command[] {
  const commands: Command[] = []
  let begun: string[] = []
  for (const [i, line] of block.text.split('\n').entries()) {
    if (begun.length === 0 && /^\s*(#.*)?$/.test(line)) continue
    begun.push(line)
    if (line.endsWith('\\')) continue
    const at = block.line + i + 1 - begun.length
    commands.push(readCommand(block.page, at, begun.join('\n')))
    begun = []
  }
  return commands
}

function readCommand(page: string, line: number, written: string): Command {
  const [, text = written, comment = ''] = /^(.*?)\s{2,}# ([^\n]*)$/s.exec(written) ?? []
  const [, exit = '0'] = /^exit (\d+)$/.exec(comment) ?? []
  const [, status, holds] = /^(\d{3})(?: (.+))?$/.exec(comment) ?? []
  return {
    page,
    line,
    text: text.trim(),
    exit: Number(exit),
    status: status ? Number(status) : undefined,
    holds,
  }
}
