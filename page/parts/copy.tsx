/** A button that copies a text, and says so. */
import { copyText } from '../state/clipboard.ts'
import { attempt } from '../state/notices.ts'
import { Button } from './button.tsx'

/** Copies a text, and says so. */
export const copy = (what: string, text: string | Promise<string>): Promise<boolean> =>
  attempt(`Copy ${what}`, async () => copyText(await text), `Copied: ${what}`)

interface Props {
  /** What is copied, for people: "curl". */
  readonly what: string
  readonly text: string
  /** Shown on the button; default: "Copy" and what. */
  readonly label?: string
}

/** The button. */
export const Copy = ({ what, text, label = `Copy ${what}` }: Props) => (
  <Button kind="small" label={`Copy ${what}`} act={() => copy(what, text)}>
    {label}
  </Button>
)

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
