/** Mocks inside a test's own process: made, asked and disposed of, each in a process of its own. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { folderOf, ownFolder } from './install.ts'
import { jsonServer } from './json-server.ts'
import { whoami } from './task.ts'

export interface InProcessReading {
  /** To create one, ask it once and dispose of it. */
  readonly ms: number
  /** What is still held afterwards for each, kB. */
  readonly kept_kb: number
  /** One request, µs. */
  readonly us: number
}

export interface InProcessSide {
  readonly name: string
  readonly setUp: string
  readonly own: boolean
  /** Whether msw carries the request: only like is compared with like. */
  readonly throughMsw: boolean
  measure(): InProcessReading
}

const answer = JSON.stringify(whoami)

/** The sides; json-server only where it could be installed. */
export function inProcessSides(): InProcessSide[] {
  const installed = existsSync(`${folderOf(jsonServer)}/node_modules/json-server`)
  return [
    side('work-agent-contract, fetch', '`createMock()`, `mock.fetch(request)`', true, 'own.mjs', ownFolder),
    side(
      'work-agent-contract, msw',
      '`setupServer(...mock.handlers(url))`, `fetch`',
      true,
      'own-msw.mjs',
      ownFolder,
    ),
    side('msw handlers by hand', '`setupServer(...handlers)`, `fetch`', false, 'msw-by-hand.mjs', answer),
    ...(installed
      ? [
          side(
            'json-server',
            'its router in an express server on a free port, `fetch`',
            false,
            'json-server.mjs',
            folderOf(jsonServer),
            answer,
          ),
        ]
      : []),
  ]
}

function side(name: string, setUp: string, own: boolean, file: string, ...args: string[]): InProcessSide {
  const runner = fileURLToPath(new URL('../in-process/run.mjs', import.meta.url))
  const command = ['--expose-gc', runner, `./${file}`, ...args]
  const run = () => execFileSync(process.execPath, command, { encoding: 'utf8' })
  return { name, setUp, own, throughMsw: file.includes('msw'), measure: () => JSON.parse(run()) }
}
