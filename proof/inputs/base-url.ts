/** Base URLs that do not lead to the service. */
import { type BadInput, badInputsOf, closed, html, redirect, replace } from './bad-input.ts'

export const baseUrl: readonly BadInput[] = badInputsOf({
  'url-closed: Nothing listens at the base URL.': {
    flag: '--base-url',
    line: `${closed} does not answer: ECONNREFUSED`,
    inputs: replace('BASE_URL', closed),
  },
  'url-plain-port: The base URL says https, and the port speaks plain HTTP.': {
    flag: '--base-url',
    line: 'does not speak TLS (ERR_SSL_',
    inputs: ({ BASE_URL = '' }) => ({ BASE_URL: BASE_URL.replace('http:', 'https:') }),
  },
  'url-website: A website answers every path with a page.': {
    flag: '--base-url',
    line: 'answers 200 and HTML',
    answer: () => html(),
  },
  'url-website-404: A website does not know the path.': {
    flag: '--base-url',
    line: 'answers 404 and HTML',
    answer: () => html(404),
  },
  'url-other-api: Another JSON API does not know the path.': {
    flag: '--base-url',
    line: 'answers 404 {"message":"Not Found"}',
    answer: () => Response.json({ message: 'Not Found' }, { status: 404 }),
  },
  'url-other-api-200: Another JSON API answers every path alike.': {
    flag: '--base-url',
    line: 'answers 200 {"status":"up"}',
    answer: () => Response.json({ status: 'up' }),
  },
  'url-other-api-403: A gateway forbids every path.': {
    flag: '--base-url',
    line: 'answers 403 {"message":"Forbidden"}',
    answer: () => Response.json({ message: 'Forbidden' }, { status: 403 }),
  },
  'url-empty: Every answer is empty.': {
    flag: '--base-url',
    line: 'answers 204 without a body',
    answer: () => new Response(null, { status: 204 }),
  },
  'url-redirects: The base URL redirects to another host.': {
    flag: '--base-url',
    line: 'redirects with 302 to https://www.service.test/api/cli/whoami; use https://www.service.test',
    answer: ({ path }) => redirect(`https://www.service.test${path}`),
  },
  'url-login: The base URL redirects to a login page.': {
    flag: '--base-url',
    line: 'redirects with 302 to /login',
    answer: () => redirect('/login'),
  },
  'url-gateway: A gateway answers, and the service behind it does not.': {
    flag: '--base-url',
    line: 'answers 502 and HTML, from a gateway',
    answer: () => html(502),
  },
})
