/** One tool that people use today: what to install, how to start it, and what it can do. */
import type { spawn } from 'node:child_process'

export interface Peer {
  readonly name: string
  /** Packages with their majors; installed into a folder of the benchmark's own. */
  readonly packages: readonly string[]
  /** Files that it needs, by name. */
  readonly files: Readonly<Record<string, string>>
  /** The command, run in that folder. */
  command(port: number, folder: string): { readonly file: string; readonly args: readonly string[] }
  /** Whether it keeps what is created and can be read back. */
  readonly stateful: boolean
}

/** What every peer answers to the authenticated GET; the mock answers the same fields. */
export const whoami = {
  org: { id: 'org_kbk8kkt0r9wb10m4', name: 'Graham Group' },
  plan: 'starter',
  credits: 25,
}

/** The name under which a package lies in `node_modules`. */
export function packageName(spec: string): string {
  return spec.slice(0, spec.indexOf('@', 1))
}

export type Spawned = ReturnType<typeof spawn>
