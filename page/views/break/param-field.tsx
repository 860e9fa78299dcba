/** Fields whose values are part of the address. */
import { Choice } from '../../parts/form.tsx'
import { change, param } from '../../state/address.ts'

interface Props {
  readonly name: string
  readonly label: string
  readonly placeholder: string
  readonly type?: 'number' | 'datetime-local'
  readonly step?: string
  readonly max?: number
}

/** The field. */
export function ParamField({ name, label, ...input }: Props) {
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
}

/** A choice of numbers that is part of the address, which may have any other number. */
export function NumberChoice({ name, label, usual, numbers }: NumberProps) {
  const value = param(name)
  const all = value === '' || numbers.includes(value) ? numbers : [value, ...numbers]
  return (
    <Choice
      label={label}
      value={value}
      options={[['', usual], ...all.map((number) => [number, number] as const)]}
      onPick={(picked) => change({ [name]: picked }, { quiet: true })}
    />
  )
}
