/** Rules of the specification that no requirement tests, with the reasons. */
import type { RuleAnchor } from '../model/rule-anchor.ts'

const unnamed = 'A field without a name cannot be asked for.'
const aboutClients = 'It is about clients, not about the service.'
const unpublished = 'There is nothing to hold a service to.'

/** For each rule of the specification that no requirement tests, the reason, by the anchor of the rule. */
export const untestedRuleReasons: Readonly<Partial<Record<RuleAnchor, string>>> = {
  'asynchronous-work': 'A service whose runs end at once is legitimate.',
  'base-url': 'The operator tells the suite the base URL, which may be any.',
  'client-base-url': aboutClients,
  'command-per-route': aboutClients,
  'scope-differs':
    'A service may follow either variant; extended routes are judged by §4 where they are offered.',
  'no-payments': 'A route that does not exist cannot be asked for; unknown paths are not tested.',
  'key-other-fields': unnamed,
  'task-times': unnamed,
  'document-other-fields': unnamed,
  'notification-other-fields': unnamed,
  'status-names': 'The suite names no other status.',
  'other-transitions': 'A service may go from one status to another in any way.',
  'document-kinds': 'No kind is known to be accepted, so the suite sends none.',
  'session-clients': aboutClients,
  'key-lifetime': 'A key may live for any time; one that the suite creates must work during the run.',
  'session-login': 'The operator tells the suite the cookie of a session.',
  'no-push': unpublished,
  'codes-422-500': 'Any code that is not empty is accepted.',
  'limit-values': 'Any limit is legitimate; the suite arranges one, or sends requests until it meets one.',
  'no-versioning': unpublished,
}
