/** The seeded past of an organization: its name, account and earlier data. The dates are fixed. */

import { slug } from '../core/creatives.ts'
import type { Organization } from '../core/organization.ts'
import type { Account, Run } from '../core/resources.ts'
import { createTask } from '../core/tasks.ts'
import type { Draw } from './draw.ts'

/** The first day of the seeded past, ms since the epoch. */
const firstDay = Date.UTC(2026, 0, 5, 9)
const hour = 3_600_000

/** Returns the name and account of an organization. */
export function identityOf(draw: Draw): { name: string; account: Account } {
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
 * Adds the seeded past to an organization, which then has `credits` spendable credits. `past` is `seeded`, `none`
 * or a number of finished tasks.
 */
export function seedPast(
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
    if (!org.ledger.solvent) org.ledger.topUp(1, at)
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
  const run: Run = {
    id,
    task_id: task.id,
    accepted_at: at,
    duration_ms: hour,
    polls: null,
    destined: null,
    reserve,
    started_at: at,
    ends_at: at + hour,
    outcome,
    ended: false,
    looks: 0,
  }
  task.run = run
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
    subdomain: slug(org.name),
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
  `${slug(`${first} ${last}`).replaceAll('-', '.')}@example.com`

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
