/** The terms for judging recorded traffic. */
import { type SuiteSettings, settingsWithDefaults } from '#contract-tests/harness/terms.ts'

/** The side of a recording that is judged (service, client or both), and the settings by which it is judged. */
export interface RecordingJudgementSettings {
  /** Source of the traffic, such as the address of the service. */
  readonly source: string
  readonly settings: SuiteSettings
  readonly strict: boolean
  readonly side: 'service' | 'client' | 'both'
  /** True to say how strong the verdict on the service is, of a history or a recording that is added at once. */
  readonly withStrength?: boolean
}

/** The settings of the suite for judging recorded traffic: the given ones, and defaults that suit a recording. */
export const suiteSettingsForRecordedTraffic = (given: Partial<SuiteSettings> = {}): SuiteSettings =>
  // No recording shows who else used the organization.
  settingsWithDefaults({ apiKey: '', consistency: 2_000, ...given, shared: true })
