/** A button that copies a text, and says so. */
import { useSignal } from '@preact/signals'
import { attempt } from '../state/notices.ts'

/** Copies a text; a browser that refuses is reported. */
export const copy = (what: string, text: string | Promise<string>): Promise<boolean> =>
  attempt(`Copy ${what}`, async () => navigator.clipboard.writeText(await text), `Copied: ${what}`)

interface Props {
  /** What is copied, for people: "curl". */
  readonly what: string
  readonly text: string | (() => string | Promise<string>)
  /** Shown on the button; default: "Copy" and what. */
  readonly label?: string
}

/** The button. */
export function Copy({ what, text, label = `Copy ${what}` }: Props) {
  const done = useSignal(false)
  const click = async () => {
    done.value = await copy(what, typeof text === 'string' ? text : text())
    setTimeout(() => {
      done.value = false
    }, 1_500)
  }
  return (
    <button type="button" class="small" aria-label={`Copy ${what}`} onClick={click}>
      <span class={done.value ? 'swap on' : 'swap'} data-alt="Copied">
        {label}
      </span>
    </button>
  )
}

/** A line of code with its button. */
export function CopyLine({ what, text }: { readonly what: string; readonly text: string }) {
  return (
    <div class="copy-line">
      <span class="muted">{what}</span>
      <code>{text}</code>
      <Copy what={what} text={text} label="Copy" />
    </div>
  )
}
