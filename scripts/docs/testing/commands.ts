/** The commands of a shell block, and what the comment after each expects. */
import type { Block } from './pages.ts'

export interface Command {
  readonly page: string
  readonly line: number
  /** Without its comment. */
  readonly text: string
  /** `# exit 1`; default: 0. */
  readonly exit: number
  /** `# 402 no_credits`; undefined: any success. */
  readonly status: number | undefined
  /** Text that the answer contains: what follows the status. */
  readonly contains: string | undefined
}

/** Splits a block into commands. A line that ends with a backslash continues on the next. */
export function commandsOf(block: Block): Command[] {
  const commands: Command[] = []
  let pending: string[] = []
  for (const [i, line] of block.text.split('\n').entries()) {
    if (pending.length === 0 && /^\s*(#.*)?$/.test(line)) continue
    pending.push(line)
    if (line.endsWith('\\')) continue
    const at = block.line + i + 1 - pending.length
    commands.push(readCommand(block.page, at, pending.join('\n')))
    pending = []
  }
  return commands
}

function readCommand(page: string, line: number, written: string): Command {
  const [, text = written, comment = ''] = /^(.*?)\s{2,}# ([^\n]*)$/s.exec(written) ?? []
  const [, exit = '0'] = /^exit (\d+)$/.exec(comment) ?? []
  const [, status, contains] = /^(\d{3})(?: (.+))?$/.exec(comment) ?? []
  return {
    page,
    line,
    text: text.trim(),
    exit: Number(exit),
    status: status ? Number(status) : undefined,
    contains,
  }
}
