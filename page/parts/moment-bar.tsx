/** Says that the page shows the past, and what can be done with it. */
import { param } from '../state/address.ts'
import { details } from '../state/details.ts'
import { fork, goTo, share } from '../state/moments.ts'
import { Button } from './button.tsx'
import { momentOf } from './text.ts'

/** The bar; nothing while the page shows the present. */
export function MomentBar() {
  const at = param('at')
  if (at === '') return null
  const time = details.value?.at.time
  return (
    <section class="moment-bar" aria-label="Past">
      <p>
        As it was after request <strong class="number">#{at}</strong>
        {time && `, ${momentOf(time)}`}
      </p>
      <Button act={fork}>Restore as a copy</Button>
      <Button act={share}>Copy link</Button>
      <Button kind="main" act={() => goTo(undefined)}>
        Back to now
      </Button>
    </section>
  )
}
