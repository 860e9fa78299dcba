/** What is set: fault rules that still apply, and everything about the organization that differs from how it began. */
import { computed } from '@preact/signals'
import { act, arrange } from './details.ts'
import { mock, organization } from './overview.ts'

/** Something that is set, and what ends it. */
interface Setting {
  readonly text: string
  readonly clear: () => Promise<boolean>
}

/** The fault rules that still apply. */
export const liveRules = computed(() =>
  (mock.value?.faults ?? []).filter(({ remaining, id }) => remaining !== 0 && id !== 'chaos'),
)

/** What else is set for the organization. */
export const settings = computed((): readonly Setting[] => {
  const org = organization.value
  const all = mock.value
  if (!org || !all) return []
  const { overrides, agent, chaos, strict_client, variant, extended } = org
  const found: (Setting | false)[] = [
    ...Object.entries({
      unavailable: 'Unavailable: every request gets 503',
      next_run_fails: 'The next run fails',
      next_creative_fails: 'The next creative fails',
    } as const).map(
      ([state, text]) => overrides[state as 'unavailable'] && { text, clear: () => arrange(state, false) },
    ),
    org.limit_set && { text: 'A rate limit of its own', clear: () => arrange('rate_limit', false) },
    agent.state === 'other_work' && { text: 'Agent busy', clear: () => arrange('agent_busy', false) },
    chaos !== all.chaos && {
      text: `Chaos ${chaos ?? 'off'}`,
      clear: () => act('Chaos', 'PUT /behaviour', { chaos: all.chaos ?? 0 }),
    },
    strict_client !== all.strict_client && {
      text: `Quirks ${strict_client ?? 'off'}`,
      clear: () => act('Quirks', 'PUT /behaviour', { strictClient: all.strict_client ?? false }),
    },
    variant !== all.variant && {
      text: `${variant} variant`,
      clear: () => act('Variant', 'PUT /settings', { variant: all.variant }),
    },
    extended !== all.extended && {
      text: `Extended routes ${extended ? 'on' : 'off'}`,
      clear: () => act('Extended routes', 'PUT /settings', { extended: all.extended }),
    },
  ]
  return found.filter((one) => one !== false)
})
