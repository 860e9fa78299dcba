/** Keys and cookies that do not work, or belong to another organization. */
import { type BadInput, badInputsOf, isFrom, redirect, refused, replace } from './bad-input.ts'

export const credentials: readonly BadInput[] = badInputsOf({
  'key-refused: The key is refused.': {
    flag: '--api-key',
    line: 'refuses it (401 on whoami and on tasks)',
    inputs: replace('API_KEY', 'unknown-key'),
  },
  'other-key-refused: The second key is refused.': {
    flag: '--other-api-key',
    line: 'refused: GET /api/cli/whoami answers 401 {"error":"unauthorized"',
    inputs: replace('OTHER_API_KEY', 'unknown-key'),
  },
  'other-key-forbidden: The second key is forbidden.': {
    flag: '--other-api-key',
    line: 'refused: GET /api/cli/whoami answers 403',
    answer: (request) => (isFrom(request, 'wak_test_other') ? refused(403) : undefined),
  },
  'other-key-same: The second key is the first one.': {
    flag: '--other-api-key',
    line: 'it is the same key as --api-key',
    inputs: ({ API_KEY = '' }) => ({ OTHER_API_KEY: API_KEY }),
  },
  'other-key-same-organization: The second key belongs to the first organization.': {
    flag: '--other-api-key',
    line: 'it belongs to the first organization: whoami reports org_',
    inputs: ({ SECOND_KEY = '' }) => ({ OTHER_API_KEY: SECOND_KEY }),
  },
  'cookie-refused: The cookie is refused.': {
    flag: '--session-cookie',
    line: 'refused: GET /api/cli/keys answers 401 {"error":"unauthorized"',
    inputs: replace('SESSION_COOKIE', 'work_agent_session=expired'),
  },
  'cookie-login: The cookie is answered with the login page.': {
    flag: '--session-cookie',
    line: 'refused: GET /api/cli/keys answers 302 to /login',
    answer: ({ path }) => (path === '/api/cli/keys' ? redirect('/login') : undefined),
  },
  'cookie-neither: The cookie belongs to neither organization.': {
    flag: '--session-cookie',
    line: 'it belongs to the organization org_',
    inputs: replace('SESSION_COOKIE', 'work_agent_session=was_test_third'),
  },
  'cookie-other: The cookie belongs to the second organization.': {
    flag: '--session-cookie',
    line: ', --api-key to org_',
    inputs: ({ OTHER_SESSION_COOKIE = '' }) => ({ SESSION_COOKIE: OTHER_SESSION_COOKIE }),
  },
  'other-cookie-refused: The second cookie is refused.': {
    flag: '--other-session-cookie',
    line: 'refused: GET /api/cli/keys answers 401',
    inputs: replace('OTHER_SESSION_COOKIE', 'work_agent_session=expired'),
  },
  'other-cookie-first: The second cookie belongs to the first organization.': {
    flag: '--other-session-cookie',
    line: ', --other-api-key to org_',
    inputs: ({ SESSION_COOKIE = '' }) => ({ OTHER_SESSION_COOKIE: SESSION_COOKIE }),
  },
})
