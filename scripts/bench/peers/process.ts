/** What a process and its children hold and have used, as Linux tells it; nothing elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessUsage {
  /** User and system time, µs. */
  readonly cpu_us: number
  /** Resident memory, bytes. */
  readonly rss: number
}

/** Of a process and all that it started; undefined where the system does not tell. */
export function usageOf(pid: number): ProcessUsage | undefined {
  const all = processes()
  const family = new Set([pid])
  for (const one of all) if (family.has(one.parent)) family.add(one.pid)
  const members = all.filter((one) => family.has(one.pid))
  if (members.length === 0) return undefined
  const sum = (field: keyof ProcessUsage) => members.reduce((total, one) => total + one[field], 0)
  return { cpu_us: sum('cpu_us'), rss: sum('rss') }
}

interface Found extends ProcessUsage {
  readonly pid: number
  readonly parent: number
}

const tick_us = 10_000
const page = 4_096

/** From old to new, so that a parent comes before its children. */
function processes(): Found[] {
  const pids = folders('/proc').map(Number).filter(Number.isInteger)
  return pids.sort((a, b) => a - b).flatMap((pid) => read(pid) ?? [])
}

function folders(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function read(pid: number): Found | undefined {
  try {
    return parse(pid, readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return undefined
  }
}

/** A line of `/proc/PID/stat`; the name of the program, in brackets, may hold anything. */
export function parse(pid: number, line: string): Found {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const at = (field: number) => Number(fields[field - 3])
  return { pid, parent: at(4), cpu_us: (at(14) + at(15)) * tick_us, rss: at(24) * page }
}
