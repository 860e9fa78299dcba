/** Runs a step of an action in a local shell, as the GitHub runner would. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

export interface Step {
  readonly id?: string
  readonly env?: Readonly<Record<string, string>>
  readonly run: string
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>
  readonly outputs: Readonly<Record<string, unknown>>
  readonly runs: { readonly steps: readonly Step[] }
}

/** What a step left behind. */
export interface StepResult {
  readonly status: number | null
  readonly stdout: string
  readonly outputs: Readonly<Record<string, string>>
  /** The Markdown on the summary page of the job. */
  readonly summary: string
  /** The folder of the reports. */
  readonly reports: string
}

/** An action whose package is this repository. */
export class LocalAction {
  readonly action: Action
  readonly #folder = mkdtempSync(join(tmpdir(), 'action-'))

  constructor(file: string) {
    this.action = parse(readFileSync(file, 'utf8'))
    const bin = join(this.#folder, 'work-agent-contract/node_modules/.bin')
    mkdirSync(bin, { recursive: true })
    const command = join(bin, 'work-agent-contract')
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${resolve('cli/main.ts')}" "$@"\n`)
    chmodSync(command, 0o755)
  }

  step(id: string): Step {
    const step = this.action.runs.steps.find((one) => one.id === id)
    if (!step) throw new Error(`no step ${id}`)
    return step
  }

  /** Runs a step with inputs, in this repository. */
  run(id: string, inputs: Readonly<Record<string, string>>): StepResult {
    const folder = mkdtempSync(join(this.#folder, 'run-'))
    const reports = join(folder, 'reports')
    const given: Readonly<Record<string, string>> = { ...inputs, 'report-dir': reports }
    const inputOf = (name: string) => given[name] ?? this.action.inputs[name]?.default ?? ''
    const { env = {}, run } = this.step(id)
    const variables = Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => inputOf(input)),
    ])
    const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') }
    for (const file of Object.values(files)) writeFileSync(file, '')
    const { status, stdout } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', run], {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        ...Object.fromEntries(variables),
        ...files,
        GITHUB_ACTIONS: 'true',
        RUNNER_TEMP: this.#folder,
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
