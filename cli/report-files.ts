/** `--report json=FILE,…`: which formats go into which files. */
import { type Format, formats } from '#reporting/formats.ts'
import { checkWritable, write } from './files.ts'
import { UsageError } from './usage-error.ts'

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

/** The exit code for each outcome of a report. */
export const exitCodes = { passed: 0, failed: 1, incomplete: 3, not_exercised: 3 } as const

/** Writes the reports. @throws UsageError for a file that cannot be written. */
export function writeReportFiles(files: readonly ReportFile[], render: (format: Format) => string): void {
  for (const { format, file } of files) write(file, render(format))
}
