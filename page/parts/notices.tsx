/** The notices of the page: what actions did, and how to undo it. */
import { dismissNotice, notices } from '../state/notices.ts'
import { Button } from './button.tsx'

/** The notices of the page. Screen readers announce notices of success politely, and those of failures at once. */
export function Notices() {
  return (
    <div class="notices" aria-live="polite">
      {notices.value.map(({ id, kind, text, undo }) => (
        <div key={id} class={`notice ${kind}`} role={kind === 'failed' ? 'alert' : undefined}>
          <span>{text}</span>
          {undo?.loses?.() && <span class="muted">{`Undo ${undo.loses()}`}</span>}
          {undo && (
            <Button
              text="Undo"
              kind="small"
              act={() => {
                dismissNotice(id)
                undo()
              }}
            />
          )}
          <Button text="×" kind="small" label="Close this notice" act={() => dismissNotice(id)} />
        </div>
      ))}
    </div>
  )
}
