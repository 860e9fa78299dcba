/** The terms for judging recorded traffic. */
import { type SuiteSettings, settingsWithDefaults } from '#contract-tests/harness/terms.ts'

/** The settings by which a recording is judged, and which side of it is judged: the service, its clients, or both. */
export interface RecordingJudgementSettings {
  /** Source of the traffic, such as the address of the service. */
  readonly source: string
  readonly settings: SuiteSettings
  readonly strict: boolean
  readonly side: 'service' | 'client' | 'both'
  /**
   * True to estimate how many violations by the service would have been noticed; only for a history, or a recording
   * that is added in one batch.
   */
  readonly withStrength?: boolean
}

/** The suite's settings for judging recorded traffic: the given ones, completed with defaults that suit a recording. */
export const suiteSettingsForRecordedTraffic = (given: Partial<SuiteSettings> = {}): SuiteSettings =>
  // No recording shows who else used the organization.
  settingsWithDefaults({ apiKey: '', consistency: 2_000, ...given, shared: true })
