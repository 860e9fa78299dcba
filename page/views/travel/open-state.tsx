/** Restores a state from the link that was opened, or from a file. Nothing is replaced before somebody says so. */

import { useEffect } from 'preact/hooks'
import { useSignal } from '../../draw.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { param } from '../../state/address.ts'
import { openFiles } from '../../state/files.ts'
import { previewOf, restore } from '../../state/moments.ts'

/** The card. */
export function OpenState() {
  const state = param('state')
  const source = { state: `state=${state}` }
  const shown = useSignal('Loading …')
  useEffect(() => {
    if (state !== '')
      void previewOf(source).then(
        (text) => {
          shown.value = `${text}. It replaces the organization of the same name, or creates it.`
        },
        (error: Error) => {
          shown.value = error.message
        },
      )
  }, [state])
  if (state !== '')
    return (
      <Card title="Restore the state of this link?">
        <p>{shown.value}</p>
        <div class="row">
          <Button kind="main" act={() => restore(source)}>
            Restore
          </Button>
          <a class="button" href="#/">
            Cancel
          </a>
        </div>
      </Card>
    )
  return (
    <details class="card">
      <summary>Open a saved state</summary>
      <label>
        <span>State file or HAR. It replaces the organization of the same name, or the whole mock.</span>
        <input type="file" accept=".json,.har" onChange={(event) => openFiles(event.currentTarget.files)} />
      </label>
    </details>
  )
}
