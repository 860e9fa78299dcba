/** Files that options name. Whatever fails is a UsageError with the file and the reason. */
import fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { printableLine } from '#reporting/markup.ts'
import { jsonBounds, jsonBoundsProblem, parseJson } from '#traffic/json-bounds.ts'

/** A mistake in the call of a command, reported as one line on standard error with exit code 2. */
export class UsageError extends Error {}

/** Reads the text of a file, without a byte order mark. @throws UsageError for a file that cannot be read. */
export const readTextFile = (file: string): string =>
  accessFileOrThrow('read', file, () => fs.readFileSync(file, 'utf8')).replace(/^\ufeff/, '')

/** Reads the value in a JSON file. @throws UsageError for a file that cannot be read or is not JSON. */
export function readJsonFile(file: string): unknown {
  const text = readTextFile(file)
  const excess = jsonBoundsProblem(text, { ...jsonBounds, values: Number.POSITIVE_INFINITY })
  const json = excess === undefined ? parseJson(text) : undefined
  if (json === undefined) throw new UsageError(`cannot read ${file}: it ${excess ?? 'is not JSON'}`)
  return json
}

/**
 * Calls `read` and returns its result. @throws UsageError for any error that `read` throws, with a message that begins
 * with `problem`.
 */
export function readOrThrowUsageError<T>(problem: string, read: () => T): T {
  const refuse = (error: unknown): never => {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `${problem}: ${printableLine(error instanceof Error ? error.message : String(error))}`,
    )
  }
  try {
    const found = read()
    return found instanceof Promise ? (found.catch(refuse) as T) : found
  } catch (error) {
    return refuse(error)
  }
}

/** Creates a folder and its parents, one by one: under `/proc`, Node hangs if it creates them all at once. */
function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return
  makeFolder(dirname(folder))
  fs.mkdirSync(folder)
}

/** Checks that a file can be written, and creates its folder. @throws UsageError if it cannot. */
export function checkWritable(file: string): void {
  accessFileOrThrow('write', file, () => {
    makeFolder(dirname(resolve(file)))
    const target = resolveLinkedFile(file)
    // The folders of devices claim to be writable although no file can be created there.
    if (target === undefined && !fs.existsSync(file)) return fs.closeSync(fs.openSync(file, 'a'))
    const known = target ?? file
    fs.accessSync(fs.existsSync(known) ? known : dirname(known), fs.constants.W_OK)
  })
  if (fs.statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`cannot write ${file}: it is a directory`)
}

/**
 * True if two paths lead to the same regular file, even if it does not exist yet; false for devices and pipes, which
 * can take several outputs.
 */
export function isSameFile(one: string, other: string): boolean {
  const [path, second] = [one, other].map((file) => resolveLinkedFile(file))
  return path !== undefined && path === second
}

/**
 * Writes a file atomically: whole or not at all. A symbolic link is followed; a device or a pipe is written directly.
 * `mode`: permissions; default: as they were. @throws UsageError if it cannot be written.
 */
export function writeAtomically(file: string, text: string, mode?: number): void {
  accessFileOrThrow('write', file, () => {
    const target = resolveLinkedFile(file)
    if (target === undefined) return fs.writeFileSync(file, text)
    const draft = temporaryPathOf(target)
    const present = fs.lstatSync(target, { throwIfNoEntry: false })
    removeOrphanedTemporaryFiles(target)
    try {
      fs.writeFileSync(draft, text, { mode: mode ?? present?.mode ?? 0o666, flush: true })
      fs.renameSync(draft, target)
    } finally {
      fs.rmSync(draft, { force: true })
    }
  })
}

/** The path of the temporary file that is written first and then renamed to the given path. */
export const temporaryPathOf = (file: string) => `${file}.${process.pid}.tmp`

/** Removes the temporary files that killed processes have left behind for a path. */
export function removeOrphanedTemporaryFiles(file: string): void {
  const start = `${basename(file)}.`
  for (const name of valueOrFallback([], () => fs.readdirSync(dirname(file)))) {
    const pid = name.startsWith(start) ? /^(\d+)\.tmp$/.exec(name.slice(start.length))?.[1] : undefined
    if (pid !== undefined && !isOtherProcessRunning(Number(pid)))
      fs.rmSync(join(dirname(file), name), { force: true })
  }
}

/** True if a process with this id runs, other than this one. */
export function isOtherProcessRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Most links that are followed, as many as the system follows. */
const mostLinks = 40

/**
 * Follows symbolic links to the path of a regular file; undefined: the path leads to a device, a pipe or a descriptor,
 * which cannot be replaced.
 */
export function resolveLinkedFile(name: string): string | undefined {
  let file = resolve(name)
  for (let links = 0; links < mostLinks; links++) {
    if (/^\/(dev\/(?!shm\/)|proc\/)/.test(file)) return undefined
    const present = fs.lstatSync(file, { throwIfNoEntry: false })
    if (!present?.isSymbolicLink()) return !present || present.isFile() ? file : undefined
    file = resolve(fs.realpathSync(dirname(file)), fs.readlinkSync(file))
  }
  throw Object.assign(new Error('too many links'), { code: 'ELOOP' })
}

/** Calls `action` and returns its result, or `fallback` if it throws. */
export function valueOrFallback<T>(fallback: T, action: () => T): T {
  try {
    return action()
  } catch {
    return fallback
  }
}

/**
 * Runs an action that reads or writes a file; returns its result. @throws UsageError with the file and the reason, for
 * any error of the action.
 */
export function accessFileOrThrow<T>(verb: 'read' | 'write', file: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw new UsageError(`cannot ${verb} ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
}
