/** How recorded traffic is judged. */
import { type Settings, settingsWith } from '#contract-tests/harness/terms.ts'

/** Subject and rules of a judgement. */
export interface JudgementTerms {
  /** Source of the traffic, such as the address of the service. */
  readonly source: string
  readonly settings: Settings
  readonly strict: boolean
  readonly side: 'service' | 'client' | 'both'
  /** Says what the verdict on the service is worth, of a history or a recording that is added at once. */
  readonly withStrength?: boolean
}

/** The settings for traffic that was recorded. */
export const recordedWith = (given: Partial<Settings> = {}): Settings =>
  // No recording shows who else used the organization.
  settingsWith({ apiKey: '', consistency: 2_000, ...given, shared: true })
