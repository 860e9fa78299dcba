/** Small forms, and fields whose values are part of the address. */
import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact'
import { useEffect, useElementRef } from '../draw.ts'
import { addressParam, changeAddress } from '../state/address.ts'
import { withFailureHandler } from '../state/notices.ts'
import { useBusy } from './button.tsx'
import { formatNumber } from './text.ts'

/** The values of a form by the names of its fields, without empty ones. */
export type FormValues = Readonly<Record<string, string>>

interface FormProps {
  readonly label: string
  readonly button: string
  readonly children: ComponentChildren
  /**
   * Sends the form; returns whether it succeeded. Only an action that it starts at once tells the form why it failed.
   */
  readonly submit: (values: FormValues) => Promise<boolean>
  /** Values of fields that are left empty; they are shown as placeholders. */
  readonly usual?: FormValues
  /** A name that distinguishes forms with the same label; the fields of such a form keep what was sent. */
  readonly of?: string
}

/** Texts in forms that were not sent, by form: they outlast views and restarts of the mock, but are stored nowhere. */
const drafts = new Map<string, FormData>()

/** Returns the field that a reason names, such as `400 limit: takes …`; undefined if it names none of the form. */
const fieldIn = (form: HTMLFormElement, reason: string) =>
  [...reason.matchAll(/\w+(?=: )/g)]
    .map(([name]) => form.elements.namedItem(name) as HTMLInputElement | null)
    .findLast(Boolean)

/**
 * A form of named fields and one button. It keeps what was typed until it was sent successfully, and is then emptied.
 * An error is shown at its field.
 */
export function Form({ label, button, children, submit, usual, of = '' }: FormProps) {
  const box = useElementRef<HTMLFormElement>()
  const draft = label + of
  useEffect(() => {
    drafts.get(draft)?.forEach((value, name) => {
      Object.assign(box.current?.elements.namedItem(name) ?? {}, { value })
    })
  }, [])
  const [busy, send] = useBusy(async (form: HTMLFormElement) => {
    const values = new FormData(form)
    const fail = (reason: string) => {
      const field = fieldIn(form, reason)
      if (!field) return false
      field.setCustomValidity(reason.replace(/^\d+ /, ''))
      field.oninput = () => field.setCustomValidity('')
      return !field.reportValidity()
    }
    const written = Object.fromEntries([...values].filter(([, value]) => value))
    drafts.delete(draft)
    const succeeded = await withFailureHandler(fail, () => submit({ ...usual, ...(written as FormValues) }))
    // Text that was written while the form was sent is for the next time.
    if (drafts.has(draft)) return
    if (!succeeded) drafts.set(draft, values)
    else if (!of) form.reset()
  })
  return (
    <form
      class="row"
      aria-label={label}
      aria-busy={busy}
      ref={box}
      onInput={({ currentTarget }) => drafts.set(draft, new FormData(currentTarget))}
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

interface Labelled {
  readonly name: string
  readonly label: string
}
type FieldProps = InputHTMLAttributes & Labelled

/** A labelled text field of one line. */
export const SingleLineTextField = ({ label, ...input }: FieldProps) => (
  <label>
    <span>{label}</span>
    <input autoComplete="off" spellcheck={false} {...input} />
  </label>
)

/** A labelled text field of several lines. */
export const MultiLineTextField = ({ label, ...input }: TextareaHTMLAttributes & Labelled) => (
  <label class="wide">
    <span>{label}</span>
    <textarea spellcheck={false} {...input} />
  </label>
)

interface ChoiceProps {
  readonly label: string
  /** True if only screen readers get the label, because the options say enough. */
  readonly quiet?: boolean
  readonly name?: string
  readonly value?: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onPick?: (value: string) => void
}

/** A labelled select field. */
export function SelectField({ label, quiet, name, value, options, onPick }: ChoiceProps) {
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

/** The search field of a view; the key `/` moves the focus into it. */
export function SearchField({ label }: { readonly label: string }) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={`${label} ( / )`}
      value={addressParam('q')}
      onInput={(event) => changeAddress({ q: event.currentTarget.value }, { quiet: true })}
    />
  )
}

/** A text field whose value is kept in a parameter of the page's address. */
export const AddressParamInput = ({ name, ...input }: FieldProps) => (
  <SingleLineTextField
    name={name}
    min={0}
    size={10}
    value={addressParam(name)}
    onInput={(event) => changeAddress({ [name]: event.currentTarget.value }, { quiet: true })}
    {...input}
  />
)

interface ParamProps extends Omit<ChoiceProps, 'value' | 'onPick'> {
  readonly name: string
  /** True if a change replaces the entry of the browser's history, as typing does. */
  readonly typed?: boolean
}

/** A select field whose value is kept in a parameter of the page's address. */
export const AddressParamSelect = ({ name, typed = false, ...choice }: ParamProps) => (
  <SelectField
    {...choice}
    value={addressParam(name)}
    onPick={(picked) => changeAddress({ [name]: picked }, { quiet: typed })}
  />
)

interface NumberProps {
  readonly name: string
  readonly label: string
  /** The text of the choice without a number. */
  readonly usual: string
  readonly numbers: readonly string[]
  /** The text of a number; default: the number as it is. */
  readonly textOf?: (number: string) => string
}

/**
 * A select field of numbers whose value is kept in a parameter of the page's address, which may also name a number that
 * is not offered.
 */
export function NumberSelectParam({ name, label, usual, numbers, textOf = String }: NumberProps) {
  const value = addressParam(name)
  const all = value === '' || numbers.includes(value) ? numbers : [value, ...numbers]
  return (
    <AddressParamSelect
      typed
      name={name}
      label={label}
      options={[['', usual], ...all.map((number) => [number, textOf(number)] as const)]}
    />
  )
}

/**
 * A select field for the share of requests that get a fault; its value is kept in a parameter of the page's address.
 */
export const FaultRateSelect = (props: Omit<NumberProps, 'numbers'>) => (
  <NumberSelectParam
    {...props}
    numbers={['0.01', '0.05', '0.1', '0.25', '0.5', '1']}
    textOf={(share) => `${formatNumber(100 * Number(share))} %`}
  />
)
