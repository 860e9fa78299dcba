/** Runs the steps of an action in a local shell, as the GitHub runner would. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { builtCommand } from '#cli/testing/command.ts'

interface Step {
  readonly name: string
  readonly id?: string
  /** Such as `steps.node.outputs.suits == 'false'`; absent: always. */
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
  /** Another action, in place of `run`. */
  readonly uses?: string
  readonly run?: string
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>
  readonly outputs: Readonly<Record<string, unknown>>
  readonly runs: { readonly steps: readonly Step[] }
}

type Inputs = Readonly<Record<string, string>>

/** The folder of a Node that the package supports. */
const supported = dirname(process.execPath)

/** An action whose package is this repository. */
export function localAction(file: string) {
  const action: Action = parse(readFileSync(file, 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'action-'))
  // Npm can install it as the package: its command is the bundle of this run.
  const packed = join(folder, 'package')
  const bin = join(folder, 'work-agent-contract/node_modules/.bin')
  const checkout = join(folder, 'checkout')
  /** The folder of the action in a checkout whose command is the same. */
  const path = join(checkout, dirname(file))
  for (const one of [packed, bin, path, join(checkout, 'cli')]) mkdirSync(one, { recursive: true })
  const [name, version] = ['work-agent-contract', '0.0.0']
  const command = join(packed, 'command.mjs')
  const main = `await import('${pathToFileURL(builtCommand).href}')\n`
  const lock = { name, version, lockfileVersion: 3, packages: { '': { name, version } } }
  writeFileSync(join(packed, 'package.json'), JSON.stringify({ name, version, bin: './command.mjs' }))
  writeFileSync(command, `#!/usr/bin/env node\n${main}`, { mode: 0o755 })
  symlinkSync(command, join(bin, name))
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ name, version, type: 'module' }))
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify(lock))
  writeFileSync(join(checkout, 'cli/main.ts'), main)

  /** Its step with an id, or whose name begins with a word. */
  function step(word: string): Step {
    const found = action.runs.steps.find(({ id, name }) => id === word || name.startsWith(word))
    if (!found) throw new Error(`${file} has no step ${word}`)
    return found
  }

  return {
    action,
    package: packed,
    step,
    /** A folder for temporary files, in which no command is installed. */
    emptyTemp: () => mkdtempSync(join(folder, 'temp-')),
    /** Runs a step with inputs, in this repository. `node`: the folder of the first Node; in `temp` the command is installed. */
    run(word: string, inputs: Inputs = {}, { node = supported, temp = folder } = {}) {
      const { env = {}, run = '' } = step(word)
      const own = mkdtempSync(join(folder, 'run-'))
      const reports = join(own, 'reports')
      const given: Inputs = { ...inputs, 'report-dir': reports }
      const inputOf = (name: string) => given[name] ?? action.inputs[name]?.default ?? ''
      const variables = Object.entries(env).map(([name, text]) => [
        name,
        text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => inputOf(input)),
      ])
      const files = { GITHUB_OUTPUT: join(own, 'output'), GITHUB_STEP_SUMMARY: join(own, 'summary') }
      for (const file of Object.values(files)) writeFileSync(file, '')
      const { status, stdout } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', run], {
        encoding: 'utf8',
        env: {
          PATH: [node, process.env.PATH].join(delimiter),
          HOME: folder,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          ...Object.fromEntries(variables),
          ...files,
          GITHUB_ACTIONS: 'true',
          GITHUB_ACTION_PATH: path,
          RUNNER_TEMP: temp,
        },
      })
      const lines = readFileSync(files.GITHUB_OUTPUT, 'utf8').split('\n').filter(Boolean)
      const outputs: Inputs = Object.fromEntries(lines.map((line) => line.split('=')))
      return { status, stdout, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'), reports }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`

/** A folder with a `node` that says it is Node 20, and cannot run a program for a newer one; the caller removes it. */
export function oldNode(): string {
  const folder = mkdtempSync(join(tmpdir(), 'old-node-'))
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`
  const script = [
    '#!/bin/sh',
    '[ "$1" = -e ] || { echo "this is Node 20" >&2; exit 2; }',
    `exec "${process.execPath}" --import "${preload}" "$@"`,
  ]
  writeFileSync(join(folder, 'node'), `${script.join('\n')}\n`, { mode: 0o755 })
  return folder
}
