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

interface StepResult {
  readonly status: number | null
  readonly stdout: string
  readonly outputs: Readonly<Record<string, string>>
  /** The Markdown on the summary page of the job. */
  readonly summary: string
  readonly reports: string
}

/** The folder of a Node that the package supports. */
const supported = dirname(process.execPath)

/** An action whose package is this repository. */
export class LocalAction {
  readonly action: Action
  /** A folder that npm can install as the package: its command is the bundle of this run. */
  readonly package: string
  /** The folder of the action in a checkout whose command is the same. */
  readonly #path: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'action-'))
  /** Where the steps install; at first the command is there already. */
  #runnerTemp = this.#folder

  constructor(file: string) {
    this.action = parse(readFileSync(file, 'utf8'))
    this.package = join(this.#folder, 'package')
    const bin = join(this.#folder, 'work-agent-contract/node_modules/.bin')
    const checkout = join(this.#folder, 'checkout')
    this.#path = join(checkout, dirname(file))
    for (const folder of [this.package, bin, this.#path, join(checkout, 'cli')])
      mkdirSync(folder, { recursive: true })
    const manifest = { name: 'work-agent-contract', version: '0.0.0', bin: './command.mjs' }
    const command = join(this.package, 'command.mjs')
    const main = pathToFileURL(builtCommand).href
    writeFileSync(join(this.package, 'package.json'), JSON.stringify(manifest))
    writeFileSync(command, `#!/usr/bin/env node\nawait import('${main}')\n`, { mode: 0o755 })
    symlinkSync(command, join(bin, 'work-agent-contract'))
    const [name, version] = ['work-agent-contract', '0.0.0']
    const lock = { name, version, lockfileVersion: 3, packages: { '': { name, version } } }
    writeFileSync(join(checkout, 'package.json'), JSON.stringify({ name, version, type: 'module' }))
    writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify(lock))
    writeFileSync(join(checkout, 'cli/main.ts'), `await import('${main}')\n`)
  }

  step(id: string): Step {
    const step = this.action.runs.steps.find((one) => one.id === id)
    if (!step) throw new Error(`no step ${id}`)
    return step
  }

  /** Runs one step with inputs, in this repository. */
  run(id: string, inputs: Readonly<Record<string, string>>): StepResult {
    return this.#run(this.step(id), inputs, [supported])
  }

  /** Runs every step on a machine whose first Node is in `folder`, until one fails. Returns the results by step. */
  runAll(folder: string, inputs: Readonly<Record<string, string>>): Map<Step, StepResult> {
    const results = new Map<Step, StepResult>()
    this.#runnerTemp = mkdtempSync(join(this.#folder, 'temp-'))
    const path = [folder]
    for (const step of this.action.runs.steps) {
      if (!this.#applies(step, results)) continue
      if (step.uses?.startsWith('actions/setup-node@')) path.unshift(supported)
      else results.set(step, this.#run(step, inputs, path))
      if ((results.get(step)?.status ?? 0) !== 0) break
    }
    return results
  }

  /** Runs the step that installs a package, or with an empty name the action, where nothing is installed yet. */
  install(name: string): StepResult {
    const step = this.action.runs.steps.find((one) => one.name.startsWith('Install'))
    if (!step) throw new Error('no step installs anything')
    const before = this.#runnerTemp
    this.#runnerTemp = mkdtempSync(join(this.#folder, 'temp-'))
    const result = this.#run(step, { package: name }, [supported])
    this.#runnerTemp = before
    return result
  }

  #applies({ if: condition }: Step, results: ReadonlyMap<Step, StepResult>): boolean {
    if (condition === undefined) return true
    const [, id = '', output = '', value] =
      /^steps\.([\w-]+)\.outputs\.([\w-]+) == '([^']*)'$/.exec(condition) ?? []
    return results.get(this.step(id))?.outputs[output] === value
  }

  #run(
    { env = {}, run = '' }: Step,
    inputs: Readonly<Record<string, string>>,
    path: readonly string[],
  ): StepResult {
    const folder = mkdtempSync(join(this.#folder, 'run-'))
    const reports = join(folder, 'reports')
    const given: Readonly<Record<string, string>> = { ...inputs, 'report-dir': reports }
    const inputOf = (name: string) => given[name] ?? this.action.inputs[name]?.default ?? ''
    const variables = Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => inputOf(input)),
    ])
    const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') }
    for (const file of Object.values(files)) writeFileSync(file, '')
    const { status, stdout } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', run], {
      encoding: 'utf8',
      env: {
        PATH: [...path, process.env.PATH].join(delimiter),
        HOME: this.#folder,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...Object.fromEntries(variables),
        ...files,
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: this.#path,
        RUNNER_TEMP: this.#runnerTemp,
      },
    })
    const lines = readFileSync(files.GITHUB_OUTPUT, 'utf8').split('\n').filter(Boolean)
    const outputs = Object.fromEntries(lines.map((line) => line.split('=')))
    return { status, stdout, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'), reports }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true })
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
