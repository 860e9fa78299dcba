/** Small forms, and fields whose values are part of the address. */
import type { ComponentChildren } from 'preact'
import { change, param } from '../state/address.ts'
import { useBusy } from './button.tsx'
import { amount } from './text.ts'

/** The values of a form by the names of its fields; empty fields are left out. */
export type Values = Readonly<Record<string, string>>

interface FormProps {
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

/** A form of named fields and one button; it is emptied after a success. */
export function Form({ label, button, children, submit, usual, keep = false }: FormProps) {
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

/** The search field of a view. `/` moves into it. */
export function Search({ label }: { readonly label: string }) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={`${label} ( / )`}
      value={param('q')}
      onInput={(event) => change({ q: event.currentTarget.value }, { quiet: true })}
    />
  )
}

interface ParamProps {
  readonly name: string
  readonly label: string
  readonly placeholder: string
  readonly type?: 'number' | 'datetime-local'
  readonly step?: string
  readonly max?: number
}

/** A field whose value is part of the address. */
export function ParamField({ name, label, ...input }: ParamProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        min={0}
        size={10}
        autoComplete="off"
        spellcheck={false}
        value={param(name)}
        onInput={(event) => change({ [name]: event.currentTarget.value }, { quiet: true })}
        {...input}
      />
    </label>
  )
}

interface NumberProps {
  readonly name: string
  readonly label: string
  /** What it means to choose none. */
  readonly usual: string
  readonly numbers: readonly string[]
  /** Writes a number; default: as it is. */
  readonly textOf?: (number: string) => string
}

/** A choice of numbers that is part of the address, which may have any other number. */
export function NumberChoice({ name, label, usual, numbers, textOf = String }: NumberProps) {
  const value = param(name)
  const all = value === '' || numbers.includes(value) ? numbers : [value, ...numbers]
  return (
    <Choice
      label={label}
      value={value}
      options={[['', usual], ...all.map((number) => [number, textOf(number)] as const)]}
      onPick={(picked) => change({ [name]: picked }, { quiet: true })}
    />
  )
}

/** A choice of the share of requests that get a fault. */
export const RateChoice = (props: Omit<NumberProps, 'numbers'>) => (
  <NumberChoice
    {...props}
    numbers={['0.01', '0.05', '0.1', '0.25', '0.5', '1']}
    textOf={(share) => `${amount(100 * Number(share))} %`}
  />
)
