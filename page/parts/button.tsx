/** Buttons: one that does something in the mock, a switch, copies of texts, and the way back to a list. */
import type { AriaAttributes, ComponentChildren } from 'preact'
import { useSignal } from '../draw.ts'
import { changeAddress } from '../state/address.ts'
import { copyText, runWithNotice } from '../state/notices.ts'

interface ButtonProps extends AriaAttributes {
  readonly text: string
  readonly act: () => unknown
  /** The name for screen readers where the shown text is not enough. */
  readonly label?: string | undefined
  readonly kind?:
    | 'main'
    | 'danger'
    | 'small'
    | `${'main' | 'danger'} small`
    | 'small back'
    | 'small wide'
    | 'toggle'
    | 'chip'
    | 'link'
    | undefined
  readonly disabled?: boolean | undefined
  readonly role?: 'switch'
  /** Set: Enter in a field of the form presses the button, too. */
  readonly type?: 'submit'
}

/** A button that is disabled while its action runs. */
export function Button({ act, label, kind, text, ...more }: ButtonProps) {
  const [busy, start] = useBusy(act)
  return (
    <button type="button" class={kind} aria-label={label} aria-busy={busy} onClick={() => start()} {...more}>
      {kind === 'toggle' && <span class="knob" aria-hidden="true" />}
      {text}
    </button>
  )
}

/** Returns whether an action is running, and a function that starts it unless it is. */
export function useBusy<Input extends unknown[]>(
  act: (...input: Input) => unknown,
): readonly [busy: boolean, start: (...input: Input) => Promise<void>] {
  const busy = useSignal(false)
  const start = async (...input: Input) => {
    if (busy.value) return
    busy.value = true
    try {
      await act(...input)
    } finally {
      busy.value = false
    }
  }
  return [busy.value, start]
}

interface ToggleProps {
  readonly label: string
  readonly on: boolean
  readonly set: (on: boolean) => unknown
}

/**
 * A switch that shows a setting of the mock. A click asks the mock to change it, and the switch follows when it has.
 */
export const Toggle = ({ label, on, set }: ToggleProps) => (
  <Button text={label} kind="toggle" role="switch" aria-checked={on} act={() => set(!on)} />
)

/**
 * Copies a text to the clipboard, and shows a notice that it was copied, or why not. `what`: the name of the text in
 * the notice.
 */
export const copyWithNotice = (what: string, text: string | Promise<string>): Promise<boolean> =>
  runWithNotice(`Copy ${what}`, async () => copyText(await text), `Copied: ${what}`)

interface CopyProps {
  /** Name of the copied text, for people: "curl". */
  readonly what: string
  readonly text: string
  /** Shown on the button; default: "Copy" and what. */
  readonly label?: string
}

/** A button that copies a text. */
export const CopyButton = ({ what, text, label = `Copy ${what}` }: CopyProps) => (
  <Button text={label} kind="small" label={`Copy ${what}`} act={() => copyWithNotice(what, text)} />
)

/** A line of code with a button that copies it. */
export function CopyLine({ what, text }: { readonly what: string; readonly text: string }) {
  return (
    <div class="copy-line">
      <span class="muted">{what}</span>
      <code>{text}</code>
      <CopyButton what={what} text={text} label="Copy" />
    </div>
  )
}

/** A button that unfolds other buttons; choosing one of them folds them again. */
export const Menu = ({ text, children }: { readonly text: string; readonly children: ComponentChildren }) => (
  <details class="menu" name="menu">
    <summary class="button small">{text}</summary>
    {/* biome-ignore lint/a11y/noStaticElementInteractions: it only follows its buttons. */}
    {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key on a button clicks it. */}
    <div
      onClick={({ currentTarget }) => {
        const menu = currentTarget.parentElement as HTMLDetailsElement
        menu.open = false
      }}
    >
      {children}
    </div>
  </details>
)

/** A link from details back to the list, shown where a page is too narrow for both. */
export const BackToList = () => (
  <Button
    text="← Back to the list"
    kind="small back"
    act={() => changeAddress({ n: undefined, t: undefined, task: undefined })}
  />
)
