/** Fields whose values are part of the address. */
import { Choice } from '../../parts/form.tsx'
import { amount } from '../../parts/text.ts'
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
