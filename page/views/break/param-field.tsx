/** A field whose value is part of the address. */
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
