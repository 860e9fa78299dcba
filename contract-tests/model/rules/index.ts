/** All rules of the model. */
import type { ModelRule } from '../violation.ts'
import { acceptanceRules } from './admission.ts'
import { answerRules } from './answers.ts'
import { creditRules } from './credits.ts'
import { documentRules } from './documents.ts'
import { credentialOrganizationRules, isolationRules } from './isolation.ts'
import { keyRules } from './keys.ts'
import { listRules } from './lists.ts'
import { notificationRules } from './notifications.ts'
import { oddRequestRules } from './odd-requests.ts'
import { credentialAndBodyRules, misplacedCredentialRules } from './refusals.ts'
import { refusedCreationRules } from './refused-creations.ts'
import { runRules, taskRules } from './tasks.ts'
import { outerWhitespaceRules, textAcceptanceRules } from './texts.ts'
import { unknownIdRules } from './unknown-ids.ts'
import { unreadCountRules } from './unread-counts.ts'

/**
 * Rules on unusual requests. Each is judged alone, except that some look up which organizations, tasks and deleted keys
 * are known.
 */
export const statelessModelRules: readonly ModelRule[] = [
  ...misplacedCredentialRules,
  ...oddRequestRules,
  ...unknownIdRules,
  ...textAcceptanceRules,
]

/** Every rule of the model; a rule whose violation causes others comes before them. */
export const modelRules: readonly ModelRule[] = [
  ...credentialOrganizationRules,
  ...refusedCreationRules,
  ...listRules,
  ...isolationRules,
  ...keyRules,
  ...taskRules,
  ...runRules,
  ...outerWhitespaceRules,
  ...documentRules,
  ...notificationRules,
  ...unreadCountRules,
  ...creditRules,
  ...acceptanceRules,
  ...credentialAndBodyRules,
  ...statelessModelRules,
  ...answerRules,
]
