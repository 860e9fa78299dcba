/** `mock -- <command…>`: runs a command beside the mock, and reports on it with `--report`; its input, output, signals and exit code are its own. */
import { spawn, spawnSync } from 'node:child_process'
import { presentClientReport } from '#client-tests/presentation.ts'
import type { Mock } from '#mocks/app.ts'
import { outcomeLine } from '#reporting/render/text.ts'
import { type CommandEnd, waitForCommandEnd } from '../check/run-client.ts'
import { valueOrFallback } from '../files.ts'
import { exitCodeByOutcome, writeReportFiles } from '../reports.ts'
import { logError } from '../screen.ts'
import type { MockCommandOptions } from './options.ts'

/** The process of the command after `mock --`; when it ends, so does the mock. */
export type RunningCommand = ReturnType<typeof startClientCommand>

/**
 * Starts the command after `mock --`, given as a list of words; a single word with spaces is run by a shell. Processes
 * that it leaves behind are ended with it.
 */
export function startClientCommand([file = '', ...args]: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(file, args, { env, shell: args.length === 0 && /\s/.test(file), stdio: 'inherit' })
  const started = new Set<number>()
  process.once('exit', () => child.kill())
  return {
    signal(name: NodeJS.Signals) {
      // A terminal sends Ctrl-C to the command as well; twice would mean something else to many programs.
      if (name === 'SIGINT' && process.stdin.isTTY) return
      for (const pid of startedBy(child.pid)) started.add(pid)
      child.kill(name)
    },
    ended: waitForCommandEnd(child, file).finally(() => {
      for (const pid of started) valueOrFallback(false, () => process.kill(pid, 'SIGTERM'))
    }),
  }
}

/**
 * The descendants of a process, which go on when a signal ends a shell or npm. They get no process group of their own:
 * it would have no terminal, and would outlive a kill of the group of the mock. Without `ps`: none.
 */
function startedBy(pid: number | undefined): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' })
  const all = [...(stdout ?? '').matchAll(/(\d+) +(\d+)/g)].map(([, ...ids]) => ids.map(Number))
  const by = (one: number | undefined): number[] =>
    all.flatMap(([parent, id = 0]) => (parent === one ? [id, ...by(id)] : []))
  return by(pid)
}

/**
 * Writes the client reports that `--report` asks for. Returns the exit code: that of the command or, if that is 0, the
 * one that `check` would have.
 */
export function writeClientReports(
  mock: Mock,
  { reports }: MockCommandOptions,
  { code, note, started }: CommandEnd,
): number {
  if (reports.length === 0 || !started) return code
  // Unfinished work is no evidence if a signal ended the client.
  const end = note.startsWith('exit') ? { ok: code === 0 } : undefined
  const report = mock.report({ label: mock.settings.scenario?.id ?? 'mock', end, note })
  const presented = presentClientReport(report)
  logError('mock', outcomeLine(presented))
  writeReportFiles(reports, report, presented)
  return code === 0 ? exitCodeByOutcome[report.outcome] : code
}
