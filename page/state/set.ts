/** What is set: fault rules that still apply, and everything about the organization that differs from how it began. */
import { computed } from '@preact/signals-core'
import { mock, organization } from './overview.ts'

/** The fault rules that still apply. */
export const liveRules = computed(() =>
  (mock.value?.faults ?? []).filter(({ remaining, id }) => remaining !== 0 && id !== 'chaos'),
)

/** What else is set for the organization. */
export const settings = computed(() => organization.value?.set ?? [])
