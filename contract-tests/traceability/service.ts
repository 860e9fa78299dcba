/** The introduction and §1 What the service does. */
import { operationIds, routeOf } from '#contract/operation.ts'
import type { Sentence } from './sentence.ts'

const coreAndFree = operationIds.filter((id) => routeOf(id).set === 'core' && routeOf(id).cost === 0)
const bothDescriptions = 'The two descriptions differ here, and a service may follow either.'

export const introduction: readonly Sentence[] = [
  {
    section: 'Introduction',
    text: "This document covers the whole service: the /api/cli/* HTTP routes through which an organization's tasks, documents, notifications and credits are reached with an API key.",
    reason: 'It says what the document is about; each route is demanded where it is listed.',
  },
  {
    section: 'Introduction',
    text: 'Every command of the command-line client maps to one of these routes, and the routes can also be called directly.',
    reason: 'It is about the command-line client; the suite calls the routes directly.',
  },
]

export const service: readonly Sentence[] = [
  {
    section: '§1',
    text: 'The service runs work for an organization: the organization creates tasks (free text) and starts runs of them.',
    requirements: ['ACCEPTS-createTask', 'TASK-TEXT-*', 'RUN-ACCEPTED'],
  },
  { section: '§1', text: 'Runs cost Work Credits.', requirements: ['CREDITS-RUN-COSTS-ONE'] },
  {
    section: '§1',
    text: 'Each route identifies the organization from the credential.',
    requirements: [
      'AUTH-ORGANIZATION',
      'AUTH-STABLE-ORGANIZATION',
      'AUTH-ORGANIZATION-SENT',
      'ISOLATION-*',
      'KEY-WORKS',
    ],
  },
  { section: '§1', text: 'Routes are rate-limited per key.', requirements: ['LIMIT-*'] },
  {
    section: '§1',
    text: 'No route can bypass billing.',
    requirements: [
      'NO-CREDITS-REFUSED',
      'NO-CREDITS-CREATIVE',
      'CREDITS-ATOMIC',
      'CREDITS-RUN-COSTS-ONE',
      'CREATIVE-COSTS-ONE',
      'BUSY-COSTS',
    ],
  },
  {
    section: '§1',
    text: 'Work is asynchronous: starting a run usually returns before the work is done.',
    reason: 'It says "usually": a service whose runs end at once is legitimate.',
  },
  {
    section: '§1',
    text: 'Base address: {base_url}.',
    reason: 'The suite is told the base address, which may be any.',
  },
  {
    section: '§1',
    text: 'A client may override it (the client reads an environment variable or a command-line option named api-url).',
    reason: 'It is about clients, not about the service.',
  },
  {
    section: '§1',
    text: "Scope: one description states that the key reaches only the organization's tasks, documents and credits.",
    reason: bothDescriptions,
  },
  {
    section: '§1',
    text: 'It adds that ads, leads, creative generation and landing pages are reachable only in the application.',
    reason: bothDescriptions,
  },
  {
    section: '§1',
    text: 'Another description lists routes for leads, creative generation, landing pages, ad-platform reads, wallet and billing as key-authenticated.',
    reason: `${bothDescriptions} Where those routes are offered, they are judged by their rows in §4.`,
  },
  { section: '§1', text: 'Both are given below.', reason: 'It is about the document.' },
  {
    section: '§1',
    text: 'The route tables in section 4 mark the routes that only the second description lists as "listed in the extended route set".',
    reason: 'It is about the document.',
  },
  {
    section: '§1',
    text: 'A builder implements the core routes, and may implement the extended set.',
    requirements: [...coreAndFree.map((id) => `ACCEPTS-${id}`), 'RUN-ACCEPTED', 'EXTENDED-OFFERED'],
    note: 'Extended routes that are absent are not applicable, unless they are declared as offered.',
  },
  {
    section: '§1',
    text: 'Payments are not made through these routes.',
    reason: 'Nobody can ask for a route that there is not; unknown paths and methods are not tested.',
  },
  {
    section: '§1',
    text: 'Wallet and billing routes are read-only.',
    requirements: ['FREE-getWallet', 'FREE-getBilling'],
    note: 'That nothing can be written there cannot be asked: unknown methods are not tested.',
  },
  {
    section: '§1',
    text: 'Cost column: "free" means no credit is used.',
    requirements: ['FREE-*', 'NO-CREDITS-FREE-ROUTES'],
  },
  {
    section: '§1',
    text: 'Routes marked 1 credit reserve one Work Credit.',
    requirements: ['CREDITS-RESERVED', 'CREDITS-RUN-COSTS-ONE', 'CREATIVE-COSTS-ONE'],
  },
]
