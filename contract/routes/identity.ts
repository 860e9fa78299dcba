/** §4 Identity and keys. */
import { both, route } from '../route.ts'
import * as organization from '../schemas/core.ts'
import { acknowledgement, createdKey, keyList, newKey } from '../schemas/core.ts'

const shared = { section: '§4 Identity and keys', set: 'core', cost: 0 } as const

export const whoami = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/whoami',
  summary: 'Get the organization of the key, its plan and its credits.',
  auth: 'key',
  answer: both(organization.whoami),
  failures: [],
})

export const createKey = route({
  ...shared,
  method: 'POST',
  path: '/api/cli/keys',
  summary: 'Create an API key. The response is the only one that shows its secret.',
  auth: 'cookie',
  body: newKey,
  answer: both(createdKey),
  failures: ['unreadable', 'invalid'],
})

export const listKeys = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/keys',
  summary: 'List the API keys of the organization, without their secrets.',
  auth: 'cookie',
  answer: both(keyList),
  failures: [],
})

export const deleteKey = route({
  ...shared,
  method: 'DELETE',
  path: '/api/cli/keys/:id',
  summary: 'Delete an API key. It stops working immediately.',
  auth: 'cookie',
  answer: both(acknowledgement),
  failures: ['not_found'],
})
