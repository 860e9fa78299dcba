/** `/__admin/organization`, `/fork`, `/link` and `/restore`: an organization as it is or was, copied and passed on. */

import { z } from 'zod'
import { createStrictObjectSchema } from '#contract/input/checked.ts'
import { readHarExchanges } from '#traffic/recording.ts'
import {
  forkOrganization,
  type HistoricalState,
  historicalStateOf,
  ledgerBalanceOf,
  type MomentQuery,
  unusedOrganizationName,
  viewOrganizationState,
} from '../../control/history.ts'
import {
  decodeStateFragment,
  encodeStateFragment,
  maxUrlFragmentLength,
  takePortableSnapshot,
} from '../../control/link.ts'
import { creditSumFieldSchemas, viewOrganizationSummary } from '../../control/overview.ts'
import { applySnapshot, takeSnapshot, validateSnapshot } from '../../control/snapshot.ts'
import { isoTimeOf } from '../../core/clock.ts'
import { ControlRefusal } from '../../core/failure.ts'
import type { Organization } from '../../core/organization.ts'
import type { MockParts } from '../../pipeline/service.ts'
import { organizationCredentialsFieldSchemas } from './organizations.ts'
import {
  bodySchemaWithOrgId,
  declareControlRoute,
  isoMomentSchema,
  newOrganizationNameSchema,
  querySchemaWithOrgId,
  requestNumberSchema,
} from './route.ts'

const rows = z.array(z.looseObject({ id: z.string() }))

const state = z.looseObject({
  at: z.object({ number: z.int().nullable(), before: z.boolean(), time: isoMomentSchema }),
  credits: z.number(),
  ...creditSumFieldSchemas,
  tasks: rows.describe('With `runs`, newest first.'),
  documents: rows,
  notifications: rows,
  keys: rows.describe('Without secrets.'),
  creatives: rows,
  landing_pages: rows,
  campaigns: rows,
  prospects: rows,
  ledger: rows,
})

const ofRequest = 'Number of a request of the organization:'

const queryMoment = querySchemaWithOrgId({
  at: requestNumberSchema.describe(`${ofRequest} its state right after it. Default: now.`),
  before: requestNumberSchema.describe(
    `${ofRequest} its state right before it, with what operators did since the one before.`,
  ),
})

/** Returns the moment that a call names. @throws ControlRefusal if it names two, or the state is not kept. */
function momentIn(service: MockParts, org: Organization, { at, before }: MomentQuery): HistoricalState {
  if (at !== undefined && before !== undefined)
    throw new ControlRefusal(400, 'Send at most one of "at" and "before".')
  return historicalStateOf(service, org, { at, before })
}

/** Maximum length of a snapshot, bytes, and number of values in it. */
const largestSnapshot = { bytes: 256 * 1_048_576, values: 10_000_000 }

/** A snapshot as documents describe it: its other fields are internal. */
const snapshotView = z.looseObject({ of: z.enum(['mock', 'organization']), version: z.int() })

const restoring = createStrictObjectSchema({
  state: z.string().optional().describe('The fragment of a link.'),
  file: z.looseObject({}).optional().describe('The content of a file: a snapshot or a HAR.'),
  until: z.int().min(1).optional().describe('Of a HAR: the entry before which to begin. Default: the first.'),
  preview: z.boolean().optional().describe('Whether to restore nothing, and only say what it would be.'),
})

/** Reads a link, a snapshot or a HAR. @throws ControlRefusal for anything else. */
async function readState(service: MockParts, { state, file, until }: z.output<typeof restoring>) {
  if (file && 'log' in file) {
    try {
      const { decompress } = await import('../recording/decompress.ts')
      const entries = readHarExchanges(file, { decompress })
      if (entries.length === 0) throw new Error('nothing in it is a request of this API')
      const { snapshot, notes } = await service.rebuild(entries, until)
      return { snapshot: validateSnapshot(snapshot), notes }
    } catch (error) {
      throw new ControlRefusal(400, `The recording cannot be rebuilt: ${(error as Error).message}.`)
    }
  }
  if (until !== undefined) throw new ControlRefusal(400, '"until" needs a HAR in "file".')
  return {
    snapshot: validateSnapshot(state === undefined ? file : await decodeStateFragment(state)),
    notes: [],
  }
}

const link = z.object({
  fragment: z.string().nullable().describe('To append to the address of a mock after `/#`; null: too long.'),
  name: z.string().describe('A name for the file.'),
  file: z.looseObject({}).describe('A snapshot, which `PUT /state` also takes.'),
})
const restored = z.object({
  org_id: z.string().nullable().describe('Null: the whole mock.'),
  api_key: z.string().nullable(),
  name: z.string().nullable().describe('The part of the key after `wak_test_`.'),
  credits: z.number().nullable(),
  time: isoMomentSchema.nullable().describe('Mock time of the state; null: that of the mock.'),
  notes: z.array(z.string()).describe('What stays as a fault in a rebuilt state, and what nothing explains.'),
})

/** The control routes that show an organization as it is or was, copy it, and restore saved states. */
export const historyRoutes = [
  declareControlRoute('GET /organization', {
    summary:
      'Get everything that an organization has: tasks with their runs, documents, notifications, keys and so on; with `at` or `before` as it was after or before a request.',
    about: 'organization',
    query: queryMoment,
    answer: state,
    refusals: { 410: 'The state of this moment is not kept.' },
    run: ({ service, org, query }) => viewOrganizationState(momentIn(service, org, query)),
  }),
  declareControlRoute('POST /fork', {
    summary:
      'Create an organization with the state that another one has or, with `at` or `before`, had after or before a request. It has its own id, key and clock, which continues from the time of that state, and the fault rules of that moment.',
    about: 'organization',
    body: bodySchemaWithOrgId({
      at: z.int().min(1).optional().describe(`${ofRequest} its state right after it. Default: now.`),
      before: z.int().min(1).optional().describe(`${ofRequest} its state right before it.`),
      name: newOrganizationNameSchema
        .optional()
        .describe('The part of the new key after `wak_test_`; default: `NAME-fork`.'),
    }),
    answer: z.object(organizationCredentialsFieldSchemas),
    refusals: {
      409: 'The name is taken, or the mock was started with `--keys-only`.',
      410: 'The state of this moment is not kept.',
    },
    example: { name: 'ada-again' },
    run({ service, org, body }) {
      const { tenants, settings } = service
      if (settings.keysOnly)
        throw new ControlRefusal(409, 'No organization can be created: --keys-only fixes the keys.')
      const name = body.name ?? unusedOrganizationName(service, tenants.nameOf(org) ?? '')
      if (tenants.isTaken(name))
        throw new ControlRefusal(409, `name: "${name}" is taken; choose another one.`)
      const { org: copy } = forkOrganization(service, momentIn(service, org, body), name)
      return viewOrganizationSummary(service, copy)
    },
  }),
  declareControlRoute('GET /link', {
    summary:
      'Get the state of an organization as a file and, if it is small, as the fragment of a link: with its seed, clock, keys and fault rules.',
    about: 'organization',
    query: queryMoment,
    answer: link,
    refusals: { 410: 'The state of this moment is not kept.' },
    async run({ service, org, query }) {
      const file = takePortableSnapshot(service, momentIn(service, org, query))
      const number = query.before ?? query.at
      const fragment = await encodeStateFragment(file)
      const { name } = file.organization
      return {
        fragment: fragment.length > maxUrlFragmentLength ? null : fragment,
        name: `${name.replace(/[^\w-]+/g, '_')}${number === undefined ? '' : `-${number}`}.json`,
        file,
      }
    },
  }),
  declareControlRoute('POST /restore', {
    summary:
      'Restore what `GET /link` or `GET /state` returned, or rebuild the state that explains a recording. The state of one organization replaces that of the organization with its name, which is created if there is none; that of a recording is one of the whole mock.',
    about: 'mock',
    body: restoring,
    answer: restored,
    example: { state: 'state=q1Yq' },
    largest: largestSnapshot,
    async run({ service, body }) {
      if ((body.state === undefined) === (body.file === undefined))
        throw new ControlRefusal(400, 'Send exactly one of "state" and "file".')
      const { snapshot, notes } = await readState(service, body)
      if (!body.preview) applySnapshot(service, snapshot)
      const { name, state } = snapshot.of === 'mock' ? {} : snapshot.organization
      return {
        org_id: state?.id ?? null,
        api_key: name === undefined ? null : service.tenants.keyFor(name),
        name: name ?? null,
        credits: state ? ledgerBalanceOf(state) : null,
        time: isoTimeOf(state?.clock?.now),
        notes,
      }
    },
  }),
  declareControlRoute('GET /state', {
    summary:
      'Take a snapshot of one organization, or of the whole mock. It contains the secrets of keys, but not the journal.',
    query: querySchemaWithOrgId({}),
    answer: snapshotView,
    example: '-o state.json',
    run: ({ service, org }) => takeSnapshot(service, org),
  }),
  declareControlRoute('PUT /state', {
    summary:
      'Restore a snapshot in this or another mock. At the same mock times, the same requests then get the same responses again, byte for byte. An invalid snapshot changes nothing.',
    query: querySchemaWithOrgId({}),
    body: snapshotView,
    example: '@state.json',
    largest: largestSnapshot,
    run: ({ service, org, body }) => applySnapshot(service, validateSnapshot(body), org),
  }),
]
