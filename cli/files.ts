/** Files that options name. Whatever fails is a UsageError with the file and the reason. */
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from './usage-error.ts'

/** @throws UsageError for a file that cannot be read. */
export function readText(file: string): string {
  return attempt('read', file, () => readFileSync(file, 'utf8'))
}

/** @throws UsageError for a file that cannot be read or holds no JSON. */
export function readJson(file: string): unknown {
  const text = readText(file)
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`cannot read ${file}: it is not JSON`)
  }
}

/** Checks that a file can be written, and creates its folder. @throws UsageError if it cannot. */
export function checkWritable(file: string): void {
  attempt('write', file, () => {
    mkdirSync(dirname(file), { recursive: true })
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK)
  })
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`cannot write ${file}: it is a directory`)
}

/** Writes a file whole or not at all; a device, a pipe or a link directly. @throws UsageError if it cannot. */
export function write(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`
  attempt('write', file, () => {
    const present = lstatSync(file, { throwIfNoEntry: false })
    if (present?.isFile() === false) return writeFileSync(file, text)
    try {
      writeFileSync(draft, text, { mode: present?.mode ?? 0o666 })
      renameSync(draft, file)
    } finally {
      rmSync(draft, { force: true })
    }
  })
}

function attempt<T>(verb: 'read' | 'write', file: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw new UsageError(`cannot ${verb} ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
}
