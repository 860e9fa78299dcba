/** Runs the steps of an action in a local shell, as the GitHub runner would. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { builtCliPath } from '#cli/testing/command.ts'
import { createSharedFolder } from '#cli/testing/folder.ts'

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

/**
 * Loads a GitHub action, with this repository as its package, and offers a function that runs its steps as a runner
 * would.
 */
export function createLocalAction(file: string) {
  const action: Action = parse(readFileSync(file, 'utf8'))
  const { folder, file: at, read, write } = createSharedFolder()
  // Npm can install it as the package: its command is the bundle of this run.
  const bin = 'work-agent-contract/node_modules/.bin'
  /** The folder of the action in a checkout whose command is the same. */
  const path = at(join('checkout', dirname(file)))
  for (const one of [at('package'), at(bin), path, at('checkout/cli')]) mkdirSync(one, { recursive: true })
  const [name, version] = ['work-agent-contract', '0.0.0']
  const main = `await import('${pathToFileURL(builtCliPath).href}')\n`
  const packed = { name, version, bin: './command.mjs' }
  write('package/package.json', packed)
  const command = write('package/command.mjs', `#!/usr/bin/env node\n${main}`)
  chmodSync(command, 0o755)
  symlinkSync(command, at(join(bin, name)))
  write('checkout/package.json', { name, version, type: 'module' })
  const lock = { name, version, lockfileVersion: 3, packages: { '': { name, version } } }
  write('checkout/package-lock.json', lock)
  write('checkout/cli/main.ts', main)
  let runs = 0

  /** Its step with an id, or whose name begins with a word. */
  function step(word: string): Step {
    const found = action.runs.steps.find(({ id, name }) => id === word || name.startsWith(word))
    if (!found) throw new Error(`${file} has no step ${word}`)
    return found
  }

  return {
    action,
    package: at('package'),
    step,
    /** A folder for temporary files, in which no command is installed. */
    emptyTemp: () => mkdtempSync(at('temp-')),
    /**
     * Runs a step with inputs, in this repository. `node`: the folder that is first on the PATH; `temp`: where the
     * command is installed.
     */
    run(word: string, inputs: Inputs = {}, { node = supported, temp = folder } = {}) {
      const { env = {}, run = '' } = step(word)
      const nth = ++runs
      const reports = at(`reports-${nth}`)
      const given: Inputs = { ...inputs, 'report-dir': reports }
      const inputOf = (name: string) => given[name] ?? action.inputs[name]?.default ?? ''
      const variables = Object.entries(env).map(([name, text]) => [
        name,
        text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => inputOf(input)),
      ])
      const files = {
        GITHUB_OUTPUT: write(`output-${nth}`, ''),
        GITHUB_STEP_SUMMARY: write(`summary-${nth}`, ''),
      }
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
      const lines = read(`output-${nth}`).split('\n').filter(Boolean)
      const outputs: Inputs = Object.fromEntries(lines.map((line) => line.split('=')))
      return { status, stdout, outputs, summary: read(`summary-${nth}`), reports }
    },
  }
}

const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`

/** Creates a folder with a fake `node` that says it is Node 20, and cannot run a program for a newer one. */
export function createOldNodeFolder(): string {
  const { folder, write } = createSharedFolder()
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`
  const script = [
    '#!/bin/sh',
    '[ "$1" = -e ] || { echo "this is Node 20" >&2; exit 2; }',
    `exec "${process.execPath}" --import "${preload}" "$@"`,
  ]
  chmodSync(write('node', `${script.join('\n')}\n`), 0o755)
  return folder
}
