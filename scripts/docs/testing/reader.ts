/** Runs every command of a page in order, with the mocks that the page starts. */

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exemptCommands } from './exempt.ts'
import { cloneFolder } from './folder.ts'
import { type Running, startedBy, startPlain, startWith } from './mocks.ts'
import type { Block, Page } from './pages.ts'
import { type CommandResult, runInShell } from './shell.ts'

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

export function isShell({ language }: Block): boolean {
  return ['sh', 'bash', 'shell', 'console'].includes(language)
}

/** The commands of a page. */
export function stepsOf({ blocks }: Page): Command[] {
  return blocks.filter(isShell).flatMap(commandsOf)
}

/** Runs all commands of a page in one shell; returns their results by line. */
export async function readerOf(page: Page): Promise<ReadonlyMap<number, CommandResult>> {
  const folder = cloneFolder()
  const mocks = new Map<string, Running>()
  try {
    const flags = new Set(['', ...stepsOf(page).flatMap(({ text }) => startedBy(text) || [])])
    await Promise.all(
      [...flags].map(async (one) => mocks.set(one, await (one ? startWith(one, folder) : startPlain()))),
    )
    for (const { file, text, language } of page.blocks)
      if (file && language === 'json') writeFileSync(join(folder, file), text)
    const lines = scriptOf(page, (one) => mocks.get(one) as Running)
    const outcomes = await runInShell(folder, [...lines.values()])
    return new Map([...lines.keys()].map((line, i) => [line, outcomes[i] as CommandResult]))
  } finally {
    await Promise.all([...mocks.values()].map((mock) => mock.stop()))
    rmSync(folder, { recursive: true })
  }
}

/**
 * The input of the shell, by line. Each block uses the plain mock, or the one that it started last; variables that
 * contain the address are set again.
 */
function scriptOf(page: Page, mockOf: (flags: string) => Running): Map<number, string> {
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
      const started = mock.problem === undefined ? ':' : `echo ${quoted(mock.problem)} >&2; false`
      const run = flags !== undefined ? started : text in exemptCommands ? ':' : text
      const words = [...again, ...first, run].join('\n')
      lines.set(line, words.replaceAll(address, `http://127.0.0.1:${mock.port}`))
    }
  }
  return lines
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

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
function commandsOf(block: Block): Command[] {
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
