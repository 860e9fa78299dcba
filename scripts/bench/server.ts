/** Starts a side as a process of its own, and checks that it does the work it is measured by. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { findFreePort, stopProgram } from '#cli/testing/run.ts'
import suite from '../../package.json' with { type: 'json' }
import { peerWhoamiAnswer, publishedMock, type ServedSide, sideFolderOf } from './sides.ts'

/**
 * A running side (a server that the benchmark compares): its port, its start-up time, and functions that measure and
 * stop it.
 */
export type SideProcess = Awaited<ReturnType<typeof startSideProcess>>

type Pidusage = (pid: number) => Promise<{ readonly ctime: number; readonly memory: number }>

const headers = { authorization: 'Bearer wak_test_demo', 'content-type': 'application/json' }

type Started = Pick<ServedSide, 'name' | 'files' | 'command' | 'env'>

/**
 * Starts a side (a server that the benchmark compares) that already holds the given tasks. `ready`: time from spawn to
 * the first answer, ms. `isAny`: true if that answer may be an error.
 */
export async function startSideProcess(side: Started, tasks: readonly object[] = [], isAny = false) {
  const port = await findFreePort()
  const cwd = writeFiles(side, tasks, port)
  const [program = '', ...args] = side.command.replace('PORT', String(port)).split(/\s+/)
  const env = { ...process.env, ...side.env }
  const started = performance.now()
  const file = program === 'node' ? process.execPath : program
  const child = spawn(file, args, { cwd, env, stdio: 'ignore' })
  let failure: string | undefined
  child.once('error', ({ message }) => {
    failure = message
  })
  while (!(await answers(port, isAny))) {
    if (child.exitCode !== null) failure ??= `exited with ${child.exitCode} before it answered`
    if (performance.now() - started > 60_000) failure ??= 'no answer within 60 s'
    if (failure !== undefined) {
      child.kill('SIGKILL')
      throw new Error(failure)
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const ready = performance.now() - started
  const usage = () => usageOf(child.pid ?? 0)
  return { port, ready, usage, [Symbol.asyncDispose]: () => stop(child) }
}

/**
 * Checks that a side does the same work as the others: `whoami` needs a key and has the same fields, and a created task
 * can be read. @throws Error if it does not.
 */
export async function checkAnswers(side: ServedSide): Promise<void> {
  await using server = await startSideProcess(side)
  const textOf = async (path: string, init: RequestInit = { headers }) =>
    (await fetch(`http://127.0.0.1:${server.port}/api/cli/${path}`, init)).text()
  const fields = (text: string) =>
    Object.keys(peerWhoamiAnswer).filter((field) => text.includes(`"${field}":`))
  if (fields(await textOf('whoami')).length < 3) throw new Error('whoami lacks a field')
  if (fields(await textOf('whoami', {})).length > 0) throw new Error('whoami needs no key')
  if (side.cannotKeep !== undefined) return
  const text = 'Read this back'
  const created = await textOf('tasks', { method: 'POST', headers, body: JSON.stringify({ text }) })
  if (!(await textOf(`tasks/${taskIdInAnswer(created)}`)).includes(text))
    throw new Error('does not keep a task')
}

/** The id of the task in an answer, in the form of any of the sides. */
export function taskIdInAnswer(body: string): string {
  const [, id] = /"id": *"?([\w-]+)/.exec(body) ?? []
  if (id === undefined) throw new Error(`no id in ${body.slice(0, 80)}`)
  return id
}

async function answers(port: number, isAny: boolean): Promise<boolean> {
  const answer = fetch(`http://127.0.0.1:${port}/api/cli/whoami`, { headers })
  return answer.then((response) => response.text().then(() => isAny || response.ok)).catch(() => false)
}

/** CPU time of a process since its start, µs, and its resident memory, MB. No side starts further processes. */
async function usageOf(pid: number) {
  const pidusage = installAndImportTool('pidusage@4') as Pidusage
  const { ctime, memory } = await pidusage(pid)
  return { cpu_us: ctime * 1_000, mb: memory / 1e6 }
}

/** Stops a side with SIGTERM first, so that the mock writes its compile cache. */
async function stop(child: ChildProcess): Promise<void> {
  const insist = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await stopProgram(child)
  clearTimeout(insist)
}

/** Builds the package as it is published. */
export function buildPackage(): void {
  const target = join(sideFolderOf(publishedMock.name), 'dist')
  execFileSync(process.execPath, ['scripts/package/bundle.ts', target], { stdio: 'inherit' })
}

const tools = new Map<string, unknown>()

/** Installs an npm package, unless it is installed already, in a folder of its own; returns what it exports. */
export function installAndImportTool(spec: string): unknown {
  const name = spec.slice(0, spec.indexOf('@', 1))
  if (!tools.has(name)) {
    installPackages(name, [spec])
    tools.set(name, createRequire(`${sideFolderOf(name)}/`)(name))
  }
  return tools.get(name)
}

/**
 * Installs the packages of a server under comparison; returns their versions. Without packages: the version of this
 * suite for the own mock, that of Node for others.
 */
export function installSide({ name, kind, packages }: ServedSide): string {
  if (packages) return installPackages(name, packages).join(', ')
  return kind === 'own' ? suite.version : process.version
}

/** Installs npm packages in the folder of a side; returns their versions. */
export function installPackages(name: string, packages: readonly string[]): string[] {
  const folder = sideFolderOf(name)
  mkdirSync(folder, { recursive: true })
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error', '--prefer-offline']
  execFileSync('npm', ['install', ...options, ...packages], { stdio: 'pipe' })
  return packages.map((spec) => {
    const installed = join(folder, 'node_modules', spec.slice(0, spec.indexOf('@', 1)), 'package.json')
    return JSON.parse(readFileSync(installed, 'utf8')).version
  })
}

/** Writes the files of a side that holds these tasks at its start; returns its folder. */
function writeFiles({ name, files }: Started, tasks: readonly object[], port: number): string {
  const folder = sideFolderOf(name)
  mkdirSync(folder, { recursive: true })
  for (const [path, text] of Object.entries(files?.(JSON.stringify(tasks), port) ?? {})) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
