/** §2 Resources and their fields: organization, API key, document, notification, extended set. */
import type { Sentence } from './sentence.ts'

const organization: readonly Sentence[] = [
  {
    section: '§2 Organization',
    text: 'org.id | string | organization identifier',
    requirements: ['SHAPE-whoami', 'AUTH-ORGANIZATION', 'AUTH-STABLE-ORGANIZATION'],
    note: 'A number is taken as an identifier too.',
  },
  {
    section: '§2 Organization',
    text: 'org.name | string or null | may be null',
    requirements: ['SHAPE-whoami'],
  },
  { section: '§2 Organization', text: 'plan | string/object | current plan', requirements: ['SHAPE-whoami'] },
  {
    section: '§2 Organization',
    text: 'credits | number | a single number: how many Work Credits can be spent now',
    requirements: [
      'SHAPE-whoami',
      'RUN-ACCEPTED',
      'CREATIVE-ACCEPTED',
      'CREDITS-RESERVED',
      'CREDITS-NEVER-NEGATIVE',
    ],
  },
]

const key: readonly Sentence[] = [
  { section: '§2 API key', text: 'key | returned on creation', requirements: ['SHAPE-createKey'] },
  {
    section: '§2 API key',
    text: 'secret | the secret value, returned only once on creation',
    requirements: ['SHAPE-createKey', 'KEY-WORKS', 'KEY-UNIQUE', 'KEY-SECRET-ONCE'],
  },
  {
    section: '§2 API key',
    text: 'id | key identifier (in the list)',
    requirements: ['SHAPE-listKeys', 'KEY-ID-UNIQUE', 'LIST-IDS-UNIQUE', 'KEY-DELETE-ONE'],
  },
  {
    section: '§2 API key',
    text: 'name | label given at creation',
    requirements: ['SHAPE-listKeys', 'KEY-NAME'],
  },
  {
    section: '§2 API key',
    text: 'prefix | leading part of the key, in the list',
    requirements: ['SHAPE-listKeys', 'KEY-PREFIX'],
  },
  {
    section: '§2 API key',
    text: 'last_used_at | timestamp of last use, in the list',
    requirements: ['SHAPE-listKeys', 'KEY-LAST-USED'],
    note: 'Its format is not shown; a key that was never used may have null.',
  },
  {
    section: '§2 API key',
    text: 'further fields | the list items carry more fields, unnamed',
    reason: 'Fields without names cannot be asked for; extra fields are always allowed.',
  },
]

const document: readonly Sentence[] = [
  {
    section: '§2 Document',
    text: 'Input fields: title (string), kind (optional string), content_md (optional string, Markdown content), summary (optional string), folder_id (optional string).',
    requirements: [
      'ACCEPTS-createDocument',
      'DOC-FIELDS-ACCEPTED',
      'DOC-KEEPS-*',
      'DOC-TEXT-*',
      'INPUT-*-createDocument',
    ],
    note: 'Allowed values of kind are not shown, and folders may have to exist before: both may be refused.',
  },
  {
    section: '§2 Document',
    text: 'Returned as item.',
    requirements: [
      'SHAPE-createDocument',
      'SHAPE-getDocument',
      'SHAPE-listDocuments',
      'DOC-READABLE',
      'DOC-ANSWER-TITLE',
      'DOC-LISTED-SAME',
      'DOC-UNIQUE',
    ],
  },
  {
    section: '§2 Document',
    text: 'Full field list of a returned document item: not shown.',
    reason: 'Only what was given at creation is demanded; other fields are free.',
  },
]

const notification: readonly Sentence[] = [
  {
    section: '§2 Notification',
    text: 'Returned as items with a count unread.',
    requirements: [
      'SHAPE-listNotifications',
      'NOTIFICATION-UNREAD-COUNT',
      'NOTIFICATION-NEW-COUNTED',
      'NOTIFICATION-READ-COUNT',
    ],
  },
  {
    section: '§2 Notification',
    text: 'Each item has a boolean read field.',
    requirements: ['SHAPE-listNotifications', 'NOTIFICATION-NEW-UNREAD', 'NOTIFICATION-READ'],
  },
  {
    section: '§2 Notification',
    text: 'Field list of a notification item: not shown.',
    reason: 'Beside id and read, fields are free.',
  },
]

const extended: readonly Sentence[] = [
  {
    section: '§2 Extended-set resources',
    text: 'Prospect (leads): id, name, email, phone, createdTime, campaign.',
    requirements: ['SHAPE-listLeads', 'LEADS-FIELDS'],
    note: 'Each may be null.',
  },
  {
    section: '§2 Extended-set resources',
    text: 'The list response also has connected.',
    requirements: ['SHAPE-listLeads'],
  },
  {
    section: '§2 Extended-set resources',
    text: 'Creative: url and artifactId are returned on generation.',
    requirements: ['SHAPE-generateCreative', 'CREATIVE-HOSTED'],
  },
  {
    section: '§2 Extended-set resources',
    text: "Landing page site: the response of creation spreads the site's fields and adds version and published.",
    requirements: ['SHAPE-createLandingPage'],
    note: "The names of the site's fields are not shown.",
  },
  {
    section: '§2 Extended-set resources',
    text: 'Campaigns, insights, wallet (balance, funding, autoRecharge) and billing (plan, credits, tiers, packs): inner fields of these objects: not shown.',
    requirements: ['SHAPE-listCampaigns', 'SHAPE-getInsights', 'SHAPE-getWallet', 'SHAPE-getBilling'],
    note: 'The fields that are named must be present, of any type.',
  },
]

export const otherResources = { organization, key, document, notification, extended } as const
