/** `--report json=FILE,…`: which formats go into which files. */
import { checkWritable, write } from './files.ts'
import { UsageError } from './usage-error.ts'

export interface ReportFile<Form extends string> {
  readonly form: Form
  readonly file: string
}

/** @throws UsageError for an unknown format or a missing file name. */
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

/** Checks that each file can be written, before the run starts. @throws UsageError for one that cannot. */
export function checkReportFiles<Form extends string>(
  files: readonly ReportFile<Form>[],
): readonly ReportFile<Form>[] {
  for (const { file } of files) checkWritable(file)
  return files
}

/** Writes the reports. @throws UsageError for a file that cannot be written. */
export function writeReportFiles<Form extends string>(
  files: readonly ReportFile<Form>[],
  render: (form: Form) => string,
): void {
  for (const { form, file } of files) write(file, render(form))
}
