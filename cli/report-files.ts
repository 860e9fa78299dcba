/** `--report json=FILE,…`: which formats go into which files. */
import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Format, formats } from '#reporting/formats.ts'
import { UsageError } from './flags.ts'

export interface ReportFile {
  readonly format: Format
  readonly file: string
}

/** @throws UsageError for an unknown format, a missing file name, or a file that cannot be written. */
export function readReportFiles(list: readonly string[]): ReportFile[] {
  return list.map((text) => {
    const at = text.indexOf('=')
    const file = text.slice(at + 1)
    const format = formats.find((name) => name === text.slice(0, at))
    if (format === undefined || file === '') {
      const possible = formats.map((name) => `${name}=FILE`).join(', ')
      throw new UsageError(`--report takes ${possible}; not "${text}"`)
    }
    checkWritable(file)
    return { format, file }
  })
}

/** Checks that a file can be written, before anything is judged. */
function checkWritable(file: string): void {
  attempt(file, () => {
    mkdirSync(dirname(file), { recursive: true })
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK)
  })
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`cannot write ${file}: it is a directory`)
}

/** Writes the reports. @throws UsageError for a file that cannot be written. */
export function writeReportFiles(files: readonly ReportFile[], render: (format: Format) => string): void {
  for (const { format, file } of files) attempt(file, () => writeFileSync(file, render(format)))
}

function attempt(file: string, action: () => void): void {
  try {
    action()
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
}
