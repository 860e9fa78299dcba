/** How recorded traffic is judged. */
import { type SuiteSettings, settingsWithDefaults } from '#contract-tests/harness/terms.ts'

/** Which side of a recording is judged (service, client or both), and by which settings. */
export interface JudgementTerms {
  /** Source of the traffic, such as the address of the service. */
  readonly source: string
  readonly settings: SuiteSettings
  readonly strict: boolean
  readonly side: 'service' | 'client' | 'both'
  /** True to say how strong the verdict on the service is, of a history or a recording that is added at once. */
  readonly withStrength?: boolean
}

/** Settings of the suite for judging recorded traffic. */
export const recordedTrafficSettings = (given: Partial<SuiteSettings> = {}): SuiteSettings =>
  // No recording shows who else used the organization.
  settingsWithDefaults({ apiKey: '', consistency: 2_000, ...given, shared: true })
