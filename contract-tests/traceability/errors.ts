/** §7 Errors. */
import type { Sentence } from './sentence.ts'

const section = '§7'

export const errors: readonly Sentence[] = [
  {
    section,
    text: 'Every route returns errors as a JSON object { error: <code>, message: <human text> }.',
    requirements: ['ERROR-BODY', 'ERROR-MESSAGE', 'ANSWER-JSON'],
  },
  {
    section,
    text: 'Clients branch on error, not on message.',
    requirements: ['ERROR-CODE-*'],
    note: 'What a message says is free.',
  },
  {
    section,
    text: 'unauthorized | 401 | key missing or invalid',
    requirements: ['ERROR-CODE-401', 'AUTH-MISSING-*', 'AUTH-INVALID-*', 'AUTH-MALFORMED', 'AUTH-FIRST-*'],
  },
  {
    section,
    text: 'not_found | 404 | no such task or document for this organization',
    requirements: [
      'ERROR-CODE-404',
      'TASK-UNKNOWN',
      'RUN-UNKNOWN',
      '*-ODD-ID',
      'DOC-UNKNOWN',
      'ISOLATION-GET-TASK',
      'ISOLATION-GET-DOCUMENT',
      'ISOLATION-RUN-TASK',
    ],
  },
  {
    section,
    text: 'invalid_request | 400 or 409 | request cannot be accepted as written',
    requirements: ['ERROR-CODE-400', 'ERROR-CODE-409', 'INPUT-*', 'LEFTOVER-*', 'RUN-AGAIN', 'RUN-TWICE'],
  },
  {
    section,
    text: 'no_credits | 402 | out of Work Credits; top up in the application',
    requirements: ['ERROR-CODE-402', 'NO-CREDITS-REFUSED', 'NO-CREDITS-CREATIVE', 'NO-CREDITS-RECOVERS'],
  },
  {
    section,
    text: 'busy | 409 | agent is working on something else; this run starts right after',
    requirements: ['ERROR-CODE-409', 'BUSY-ANSWER', 'BUSY-STARTS'],
  },
  {
    section,
    text: 'rate_limited | 429 | too many requests; honour the Retry-After header',
    requirements: [
      'ERROR-CODE-429',
      'LIMIT-CODE',
      'LIMIT-RETRY-AFTER',
      'LIMIT-REFUSED-RUN',
      'LIMIT-REFUSED-TASK',
    ],
  },
  {
    section,
    text: 'unavailable | 503 | temporary; retry shortly',
    requirements: ['ERROR-CODE-503', 'UNAVAILABLE-CODE', 'UNAVAILABLE-RUN', 'UNAVAILABLE-OVER'],
  },
  {
    section,
    text: '400 | bad request (invalid input)',
    requirements: ['ERROR-STATUS', 'INPUT-*'],
  },
  {
    section,
    text: '401 | unauthorized (message asks to log in with the client)',
    requirements: ['ERROR-STATUS', 'ERROR-CODE-401'],
    note: 'What the message asks cannot be judged: its words and its language are free.',
  },
  {
    section,
    text: '402 | out of credits (message points to the billing page)',
    requirements: ['ERROR-STATUS', 'ERROR-CODE-402'],
    note: 'Where the message points cannot be judged: its words and its language are free.',
  },
  {
    section,
    text: '404 | resource does not exist in the organization',
    requirements: ['ERROR-STATUS', 'ERROR-CODE-404', 'KEY-DELETE-AGAIN', 'NOTIFICATION-UNKNOWN'],
    note: 'Deleting an unknown key, and marking an unknown notification, may be answered as done.',
  },
  {
    section,
    text: '422 | unprocessable, validation failed',
    requirements: ['ERROR-STATUS', 'INPUT-*'],
  },
  {
    section,
    text: '429 | rate limited for this key',
    requirements: ['ERROR-STATUS', 'LIMIT-*'],
  },
  {
    section,
    text: '500 | unexpected server error',
    requirements: ['ERROR-STATUS'],
    note: 'What is unexpected cannot be brought about.',
  },
  {
    section: '§7.1',
    text: 'On 402 a client stops and does not retry; it keeps returning 402 until credits are topped up.',
    requirements: ['NO-CREDITS-PERSISTS', 'NO-CREDITS-RECOVERS'],
  },
  {
    section: '§7.2',
    text: 'On 429 a client waits as the Retry-After header says.',
    requirements: ['LIMIT-WAITED-OUT'],
  },
  { section: '§7.3', text: 'On 503 a client retries shortly.', requirements: ['UNAVAILABLE-OVER'] },
  {
    section: '§7.4',
    text: 'Error code names for 422 and 500: not shown.',
    reason: 'Any code that is not empty will do there.',
  },
]
