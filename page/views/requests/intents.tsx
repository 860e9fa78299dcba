/** What somebody wants to see happen, each with one click: for the next request, or for one that is sent again. */
import { Button } from '../../parts/button.tsx'
import { control } from '../../state/calls.ts'
import { organization } from '../../state/overview.ts'
import { moment } from '../../state/requests.ts'
import { undoable } from '../../state/undo.ts'

interface Intent {
  readonly label: string
  /** What happens next. */
  readonly says: string
  /** Whether it happens only to requests that are paid. */
  readonly paid?: true
  /** Sets it up; returns what takes it back. `operation`: only for this one. */
  readonly set: (org_id: string, operation: string) => Promise<() => Promise<unknown>>
}

const state =
  (name: string, params: object = {}): Intent['set'] =>
  async (org_id) => {
    const call = (action: string) =>
      control('POST /states', { body: { state: name, action, params: { org_id, ...params } } })
    await call('setup')
    return () => call('teardown')
  }

const rule =
  (text: string): Intent['set'] =>
  async (org_id, operation) => {
    const body = { org_id, rule: `${operation && `${operation}=`}${text};times=1` }
    const { id } = await control<{ id: string }>('POST /faults', { body })
    return () => control(`DELETE /faults/${id}`, { query: { org_id } })
  }

const intents: readonly Intent[] = [
  {
    label: 'No credits',
    says: 'every paid request gets 402 until there are credits again',
    async set(org_id) {
      const credits = organization.peek()?.credits
      await control('POST /credits', { body: { org_id, set: 0 } })
      return () => control('POST /credits', { body: { org_id, set: credits } })
    },
  },
  {
    label: 'Busy',
    says: 'the next run gets 409 busy, for a minute',
    paid: true,
    set: state('agent_busy', { duration_ms: 60_000 }),
  },
  { label: 'Too many requests', says: 'the next request gets 429', set: rule('rate_limited') },
  {
    label: 'Lost answer',
    says: 'the next request takes effect, its answer is lost',
    set: rule('lost reset'),
  },
  {
    label: 'Failed run',
    says: 'the next run fails and is refunded',
    paid: true,
    set: state('next_run_fails'),
  },
]

interface Props {
  /** Only for this operation. */
  readonly operation?: string
  /** What follows, such as sending a request again. */
  readonly then?: () => unknown
}

/** The buttons. */
export function Intents({ operation = '', then }: Props) {
  const org = organization.value
  if (!org) return null
  const start = async ({ label, says, paid, set }: Intent) => {
    const first = paid && org.credits < 1 ? '; but without credits it gets 402 before that' : ''
    let undo: (() => Promise<unknown>) | undefined
    const done = await undoable(
      label,
      () => async () => undo?.(),
      async () => {
        undo = await set(org.org_id, operation)
      },
      `${label} for ${org.key_name}: ${says}${first}`,
    )
    if (done) await then?.()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div class="row" role="group" aria-label={then ? 'Again with' : `Next for ${org.key_name}`}>
      <span class="muted">{then ? 'Again with' : `Next for ${org.key_name}:`}</span>
      {intents.map((intent) => (
        <Button
          key={intent.label}
          kind="small"
          disabled={moment.value !== ''}
          label={then && `Again: ${intent.label}`}
          act={() => start(intent)}
        >
          {intent.label}
        </Button>
      ))}
    </div>
  )
}
