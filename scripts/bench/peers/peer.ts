/** One tool that people use today: what to install, how to start it, and what it can do. */

export interface Peer {
  readonly name: string
  /** How it is set up here, in a sentence. */
  readonly setUp: string
  /** Packages with their majors; installed into a folder of the benchmark's own. */
  readonly packages: readonly string[]
  /** What it needs in its folder, by name; `tasks`: what it holds at the start, as JSON. */
  files(tasks: string): Readonly<Record<string, string>>
  /** The command, run in that folder; a file that Node runs, or a program. */
  command(port: number, folder: string): { readonly file: string; readonly args: readonly string[] }
  /** Why it cannot create a task that can be read afterwards; undefined: it can. */
  readonly cannotKeep?: string
  /** The yardstick is no peer: it is not a tool, and nothing can be much faster. */
  readonly yardstick?: true
  /** It answers on more than one core. */
  readonly manyCores?: true
  /** Nobody offers it: it was made for this benchmark. */
  readonly madeHere?: true
}

/** A command that Node runs. */
export function byNode(port: number, script: string, ...args: readonly string[]) {
  return { file: process.execPath, args: [script, ...args, '--port', String(port)] }
}
