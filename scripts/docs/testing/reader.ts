/** A reader at work: every command of a page, from the first to the last, with the mocks that it starts. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, commandsOf } from './commands.ts'
import { exemptCommands } from './exempt.ts'
import { cloneFolder } from './folder.ts'
import { type Running, startedBy, startPlain, startWith } from './mocks.ts'
import type { Block, Page } from './pages.ts'
import { type Outcome, runInShell } from './shell.ts'

/** The address on the pages. */
const home = 'http://127.0.0.1:4402'

/** Commands in front of another, on a generated page where nothing leads up to it. */
const before: Readonly<Record<string, string>> = {
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

/** Types all of a page into a shell; answers how each command went, by its line. */
export async function readerOf(page: Page): Promise<ReadonlyMap<number, Outcome>> {
  const folder = cloneFolder()
  const mocks = new Map<string, Running>()
  try {
    const flags = new Set(['', ...stepsOf(page).flatMap(({ text }) => startedBy(text) || [])])
    await Promise.all(
      [...flags].map(async (one) => mocks.set(one, await (one ? startWith(one, folder) : startPlain()))),
    )
    for (const { file, text, language } of page.blocks)
      if (file && language === 'json') writeFileSync(join(folder, file), text)
    const lines = typed(page, (one) => mocks.get(one) as Running)
    const outcomes = await runInShell(folder, [...lines.values()])
    return new Map([...lines.keys()].map((line, i) => [line, outcomes[i] as Outcome]))
  } finally {
    await Promise.all([...mocks.values()].map((mock) => mock.stop()))
    rmSync(folder, { recursive: true })
  }
}

/**
 * What the shell is given, by line. Each block meets the plain mock, or the last that it has started itself;
 * variables with its address are told again.
 */
function typed(page: Page, mockOf: (flags: string) => Running): Map<number, string> {
  const variables: string[] = []
  const lines = new Map<number, string>()
  for (const block of page.blocks.filter(isShell)) {
    let mock = mockOf('')
    let told = false
    for (const { text, line } of commandsOf(block)) {
      const flags = startedBy(text)
      if (flags !== undefined) mock = mockOf(flags)
      const again = !told || flags !== undefined ? variables : []
      told = true
      if (/^\w+=\S+$/.test(text) && text.includes(home)) variables.push(text)
      const need = Object.keys(before).find((one) => text.startsWith(one)) ?? ''
      const first = before[need] === undefined ? [] : [`{ ${before[need]}\n} >/dev/null 2>&1`]
      const started = mock.problem === undefined ? ':' : `echo ${quoted(mock.problem)} >&2; false`
      const run = flags !== undefined ? started : text in exemptCommands ? ':' : text
      const words = [...again, ...first, run].join('\n')
      lines.set(line, words.replaceAll(home, `http://127.0.0.1:${mock.port}`))
    }
  }
  return lines
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
