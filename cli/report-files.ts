/** `--report json=FILE,…`: which forms go where. */
import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from './flags.ts'

export interface ReportFile<Form extends string> {
  readonly form: Form
  readonly file: string
}

/** @throws UsageError for a form that there is not, or a missing file name. */
export function readReportFiles<Form extends string>(
  list: readonly string[],
  forms: readonly Form[],
): ReportFile<Form>[] {
  return list.map((text) => {
    const at = text.indexOf('=')
    const file = text.slice(at + 1)
    const form = forms.find((name) => name === text.slice(0, at))
    if (form !== undefined && file !== '') return { form, file }
    const possible = forms.map((name) => `${name}=FILE`).join(', ')
    throw new UsageError(`--report takes ${possible}; not "${text}"`)
  })
}

/** Sees that each file can be written, before anything is judged. @throws UsageError for one that cannot. */
export function checkReportFiles<Form extends string>(
  files: readonly ReportFile<Form>[],
): readonly ReportFile<Form>[] {
  for (const { file } of files) {
    attempt(file, () => {
      mkdirSync(dirname(file), { recursive: true })
      accessSync(existsSync(file) ? file : dirname(file), constants.W_OK)
    })
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`cannot write ${file}: it is a directory`)
  }
  return files
}

/** Writes the reports. @throws UsageError for a file that cannot be written. */
export function writeReportFiles<Form extends string>(
  files: readonly ReportFile<Form>[],
  render: (form: Form) => string,
): void {
  for (const { form, file } of files) attempt(file, () => writeFileSync(file, render(form)))
}

function attempt(file: string, action: () => void): void {
  try {
    action()
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
}
