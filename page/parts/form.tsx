/** A small form: named fields, one button; it is emptied after a success. */
import type { ComponentChildren } from 'preact'
import { useBusy } from './busy.ts'

/** The values of a form by the names of its fields; empty fields are left out. */
export type Values = Readonly<Record<string, string>>

interface Props {
  readonly label: string
  readonly button: string
  readonly children: ComponentChildren
  /** Returns whether it succeeded. */
  readonly submit: (values: Values) => Promise<boolean>
  /** Values of fields that are left empty; they are shown as placeholders. */
  readonly usual?: Values
  /** Whether the fields keep what was written. */
  readonly keep?: boolean
}

/** The form. */
export function Form({ label, button, children, submit, usual, keep = false }: Props) {
  const [busy, send] = useBusy(async (form: HTMLFormElement) => {
    const read = () => [...new FormData(form)].filter(([, value]) => value !== '')
    const values = read()
    const succeeded = await submit({ ...usual, ...(Object.fromEntries(values) as Values) })
    // What was written meanwhile is for the next time.
    if (succeeded && !keep && String(read()) === String(values)) form.reset()
  })
  return (
    <form
      class="row"
      aria-label={label}
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault()
        void send(event.currentTarget)
      }}
    >
      {children}
      <button type="submit">{button}</button>
    </form>
  )
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly type?: 'number' | 'datetime-local'
  readonly placeholder?: string
  readonly size?: number
  readonly required?: boolean
  readonly min?: number
  readonly max?: number
  readonly step?: string
}

/** A labelled field. */
export function Field({ label, ...input }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input autoComplete="off" spellcheck={false} {...input} />
    </label>
  )
}

/** A labelled field of several lines. */
export function TextField({
  label,
  ...input
}: {
  label: string
  name: string
  rows?: number
  value?: string
}) {
  return (
    <label class="wide">
      <span>{label}</span>
      <textarea spellcheck={false} {...input} />
    </label>
  )
}

interface ChoiceProps {
  readonly label: string
  /** Whether only screen readers get the label, because the options say enough. */
  readonly quiet?: boolean
  readonly name?: string
  readonly value?: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onPick?: (value: string) => void
}

/** A labelled choice. */
export function Choice({ label, quiet, name, value, options, onPick }: ChoiceProps) {
  return (
    <label>
      <span class={quiet ? 'hidden' : undefined}>{label}</span>
      <select name={name} value={value} onChange={(event) => onPick?.(event.currentTarget.value)}>
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
