/** The notices at the edge of the page. */
import { dismiss, notices } from '../state/notices.ts'

/** What was done is announced politely, a failure at once. */
export function Notices() {
  return (
    <div class="notices" aria-live="polite">
      {notices.value.map(({ id, kind, text, undo }) => (
        <div key={id} class={`notice ${kind}`} role={kind === 'failed' ? 'alert' : undefined}>
          <span>{text}</span>
          {undo && (
            <button
              type="button"
              class="small"
              onClick={() => {
                dismiss(id)
                undo()
              }}
            >
              Undo
            </button>
          )}
          <button type="button" class="small" aria-label="Close this notice" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
