/**
 * The seeded past of an organization: its name, account and earlier data, drawn with words from `names.json` (generated
 * by `npm run generate names`). The dates are fixed.
 */

import { hostNameSlug } from '../core/creatives.ts'
import type { Organization } from '../core/organization.ts'
import { createRandom, type SeededRandom } from '../core/random.ts'
import type { OrganizationAccount } from '../core/resources.ts'
import { createTask, newRunRow } from '../core/tasks.ts'
import words from './names.json' with { type: 'json' }

/** The first day of the seeded past, ms since the epoch. */
const firstDay = Date.UTC(2026, 0, 5, 9)
const hour = 3_600_000

/** Draws the name and the account of a new organization at random. */
export function drawOrganizationIdentity(draw: Draw): { name: string; account: OrganizationAccount } {
  return {
    name: draw.company(),
    account: {
      plan: draw.pick(['starter', 'growth', 'scale']),
      balance: draw.whole(0, 50_000) / 100,
      currency: 'USD',
      card_last4: draw.digits(4),
    },
  }
}

/**
 * Adds resources from the past to a new organization, which then has `credits` spendable credits. `past`: `seeded`,
 * `none` or a number of finished tasks.
 */
export function addSeededPast(
  org: Organization,
  draw: Draw,
  credits: number,
  past: 'seeded' | 'none' | number = 'seeded',
): void {
  if (typeof past === 'number') seedTasks(org, draw, past)
  else if (past === 'seeded') seedFewTasks(org, draw)
  if (past !== 'none') {
    seedDocuments(org, draw)
    seedAds(org, draw)
  }
  org.ledger.topUp(credits, firstDay + 5 * 24 * hour)
}

/** Adds a task every two hours before the first day, one in twenty failed, with read notifications. */
function seedTasks(org: Organization, draw: Draw, count: number): void {
  const companies = Array.from({ length: 12 }, () => draw.company())
  for (let i = 0; i < count; i++) {
    const at = firstDay - (count - i) * 2 * hour
    const text = (taskTexts[i % taskTexts.length] ?? '').replace('{company}', companies[i % 12] ?? '')
    if (!org.ledger.canReserve) org.ledger.topUp(1, at)
    pastTask(org, text, i % 20 === 1 && i < count - 1 ? 'failed' : 'completed', at)
  }
  for (const notification of org.notifications.newest(count)) org.notifications.markRead(notification)
}

function seedFewTasks(org: Organization, draw: Draw): void {
  const texts = draw.some(taskTexts, 5)
  org.ledger.topUp(texts.length - 1, firstDay)
  texts.forEach((text, i) => {
    const at = firstDay + (i * 24 + draw.whole(0, 8)) * hour
    pastTask(org, text.replace('{company}', draw.company()), i === 1 ? 'failed' : 'completed', at)
  })
}

function seedDocuments(org: Organization, draw: Draw): void {
  const folder = org.newId('folder')
  documentKinds.forEach((kind, i) => {
    org.documents.append({
      id: org.newId('document'),
      title: `${draw.product()} ${kind}`,
      kind,
      content_md: `# ${draw.motto()}\n\n${draw.some(sentences, 4).join(' ')}\n`,
      summary: draw.pick(sentences),
      folder_id: i < 2 ? folder : null,
      created_at: firstDay + i * 30 * hour,
    })
  })
}

function pastTask(org: Organization, text: string, outcome: 'completed' | 'failed', at: number): void {
  const task = createTask(org, text, at)
  const id = org.newId('run')
  const reserve = org.ledger.reserve(id, at)
  if (!reserve) throw new Error('The seeded past spends more credits than were added.')
  const run = newRunRow(id, task.id, at, reserve)
  task.run = Object.assign(run, { duration_ms: hour, started_at: at, ends_at: at + hour, outcome })
  org.endRun(run)
}

function seedAds(org: Organization, draw: Draw): void {
  for (let i = 0; i < 2; i++) {
    org.campaigns.append({
      id: org.newId('campaign'),
      name: `${draw.department()} ${draw.pick(['Spring', 'Launch', 'Retargeting'])}`,
      status: i === 0 ? 'ACTIVE' : 'PAUSED',
      daily_budget: draw.whole(10, 200),
      created_at: firstDay + i * 50 * hour,
    })
  }
  const campaign = org.campaigns.newest(1)[0]?.name ?? null
  for (let i = 0; i < 4; i++) {
    const [first, last] = [draw.firstName(), draw.lastName()]
    org.prospects.append({
      id: org.newId('prospect'),
      name: `${first} ${last}`,
      email: emailOf(first, last),
      phone: i === 3 ? null : `+1555${draw.digits(7)}`,
      created_at: firstDay + i * 20 * hour,
      campaign: i === 2 ? null : campaign,
    })
  }
  org.landingPages.append({
    id: org.newId('site'),
    business_name: org.name,
    subdomain: hostNameSlug(org.name),
    page_type: 'lead',
    spec: null,
    strategy: null,
    version: 3,
    published: true,
    created_at: firstDay + 40 * hour,
  })
}

/** Returns an address in a domain reserved for examples (RFC 2606). */
const emailOf = (first: string, last: string) =>
  `${hostNameSlug(`${first} ${last}`).replaceAll('-', '.')}@example.com`

const documentKinds = ['brief', 'report', 'notes', 'plan']

const taskTexts = [
  'Write a follow-up e-mail to {company} about the open offer',
  'Summarise what customers of {company} say in their reviews',
  'Draft three headlines for the spring campaign of {company}',
  'Research the five closest competitors of {company}',
  'Prepare the agenda for the kick-off with {company}',
  'Turn the notes of the call with {company} into a brief',
  'Plan a week of posts that announce the launch at {company}',
]

const sentences = [
  'Most answers came within two days, and nearly all of them by e-mail.',
  'The offer is clear; what it costs is not, and people ask for that first.',
  'Two of the five competitors changed their prices in the last quarter.',
  'Photographs of real customers did better than drawings in every test.',
  'The next step is a call with the three who asked for a demonstration.',
  'Visitors who read the comparison were twice as likely to leave a number.',
  'The budget allows one more week at the present pace.',
  'Reviews praise the service and complain about the waiting time.',
  'Nothing was published yet; the text waits for a last reading.',
  'The audience is smaller than planned and answers more often.',
]

type Draw = ReturnType<typeof createSeedDataSampler>

/** Creates functions that draw numbers, choices and names for seeded resources from a random generator. */
export function createSeedDataSampler(random: SeededRandom) {
  /** An integer between two inclusive bounds. */
  const whole = (min: number, max: number) => min + (random.word() % (max - min + 1))
  const pick = <T>(choices: readonly T[]) => choices[whole(0, choices.length - 1)] as T
  return {
    whole,
    pick,
    /** A number of distinct elements, in random order. */
    some<T>(choices: readonly T[], count: number): T[] {
      const left = [...choices]
      return Array.from({ length: count }, () => left.splice(whole(0, left.length - 1), 1)).flat()
    },
    digits: (length: number) => Array.from({ length }, () => whole(0, 9)).join(''),
    company: () => pick(companyForms)(() => pick(words.lastNames)),
    firstName: () => pick(words.firstNames),
    lastName: () => pick(words.lastNames),
    product: () => pick(words.products),
    department: () => pick(words.departments),
    motto: () => pick(words.mottos),
  }
}

const companyForms: readonly ((name: () => string) => string)[] = [
  (name) => `${name()} Group`,
  (name) => `${name()} and Sons`,
  (name) => `${name()} & ${name()}`,
  (name) => `${name()}, ${name()} and ${name()}`,
]

/** The plans that the billing route lists, with credits per month and price in cents. */
export const planTiers = [
  { id: 'starter', name: 'Starter', credits: 25, price_cents: 1_900 },
  { id: 'growth', name: 'Growth', credits: 100, price_cents: 5_900 },
  { id: 'scale', name: 'Scale', credits: 500, price_cents: 24_900 },
]

/** The packs of Work Credits that the billing route lists. */
export const creditPacks = [
  { id: 'pack_10', credits: 10, price_cents: 900 },
  { id: 'pack_50', credits: 50, price_cents: 3_900 },
]

/** Generates ad metrics over a range of days; the same organization and range always give the same values. */
export function drawAdInsights(orgId: string, range: string): Record<string, unknown> {
  const random = createRandom(`${orgId}\u0000insights\u0000${range}`)
  const impressions = 5_000 + (random.word() % 95_000)
  const clicks = Math.round(impressions * (0.005 + random.fraction() * 0.03))
  const leads = Math.round(clicks * (0.02 + random.fraction() * 0.1))
  const spend = Math.round(clicks * (40 + random.fraction() * 160)) / 100
  return {
    range,
    currency: 'USD',
    impressions,
    clicks,
    leads,
    spend,
    ctr: clicks / impressions,
    cost_per_lead: leads > 0 ? Math.round((spend / leads) * 100) / 100 : null,
  }
}
