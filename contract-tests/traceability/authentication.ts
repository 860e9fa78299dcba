/** §5 Authentication and §6 Events. */
import type { Sentence } from './sentence.ts'

export const authentication: readonly Sentence[] = [
  {
    section: '§5.1',
    text: 'Key routes require the header Authorization: Bearer <API_KEY>.',
    requirements: [
      'AUTH-MISSING-*',
      'AUTH-SESSION-*',
      'AUTH-MALFORMED',
      'AUTH-SCHEME',
      'AUTH-HEADER',
      'AUTH-QUERY',
      'AUTH-SCHEME-CASE',
    ],
    note: 'Whoever takes the key elsewhere does not require this header.',
  },
  {
    section: '§5.2',
    text: 'The organization is resolved from the key; no organization identifier is sent.',
    requirements: ['AUTH-ORGANIZATION', 'AUTH-STABLE-ORGANIZATION', 'AUTH-ORGANIZATION-SENT', 'ISOLATION-*'],
  },
  {
    section: '§5.3',
    text: 'Missing or invalid key: 401 with error unauthorized.',
    requirements: [
      'AUTH-MISSING-*',
      'AUTH-INVALID-*',
      'AUTH-MALFORMED',
      'AUTH-FIRST-*',
      'KEY-DELETED-DEAD',
      'KEY-WHOLE',
      'KEY-ONLY-SECRET',
      'AUTH-AS-KEY',
      'ERROR-CODE-401',
    ],
  },
  {
    section: '§5.4',
    text: 'Routes marked cookie (key create, list, delete) use a logged-in browser session instead of a key.',
    requirements: [
      'AUTH-KEY-*',
      'AUTH-MISSING-*Key',
      'AUTH-INVALID-*Key',
      'AUTH-*-listKeys',
      'AUTH-AS-SESSION',
      'ACCEPTS-*Key',
    ],
  },
  {
    section: '§5.4',
    text: 'The dashboard uses them, not the command-line client.',
    reason: 'It is about clients, not about the service.',
  },
  {
    section: '§5.5',
    text: 'Key creation returns key and secret; the secret is returned only once.',
    requirements: ['SHAPE-createKey', 'KEY-WORKS', 'KEY-SECRET-ONCE'],
  },
  {
    section: '§5.6',
    text: 'Key lifetime and expiry: not shown.',
    reason: 'A key may live for any time; within the run, one that was made must work.',
  },
  {
    section: '§5.7',
    text: 'Login procedure for the browser session: not shown.',
    reason: 'The suite is told the cookie of a session.',
  },
]

export const events: readonly Sentence[] = [
  {
    section: '§6',
    text: 'Events (webhooks or other push delivery): not shown.',
    reason: 'Nothing is said that a service could be held to.',
  },
  {
    section: '§6',
    text: 'Notifications are a pollable resource (section 4), not a delivery mechanism.',
    requirements: ['ACCEPTS-listNotifications', 'NOTIFICATION-NEW-UNREAD', 'NOTIFICATION-STAYS-UNREAD'],
  },
]
