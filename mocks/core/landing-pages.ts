/** Landing pages (§4 Extended route set). */
import type { BodyOf } from '#contract/operation.ts'
import type { Organization } from './organization.ts'
import type { LandingPage } from './resources.ts'

/** Creates a landing page, published if `publish` is true; `now` is ms since the epoch. */
export function createLandingPage(
  org: Organization,
  request: BodyOf<'createLandingPage'>,
  now: number,
): LandingPage {
  const business_name = request.business_name ?? org.name
  return org.landingPages.append({
    id: org.newId('site'),
    business_name,
    subdomain: freeSubdomain(org, slug(request.preferred_subdomain ?? business_name).slice(0, 40) || 'site'),
    page_type: request.page_type ?? 'lead',
    spec: request.spec ?? null,
    strategy: request.strategy ?? null,
    version: 1,
    published: request.publish === true,
    created_at: now,
  })
}

/** Returns the requested name, with a number appended if another page has it. */
function freeSubdomain(org: Organization, wanted: string): string {
  const taken = new Set(org.landingPages.newest(Infinity).map(({ subdomain }) => subdomain))
  let name = wanted
  for (let n = org.landingPages.size + 1; taken.has(name); n++) name = `${wanted}-${n}`
  return name
}

/** Returns the lower-case letters and digits of a text, separated by hyphens, for use in host names. */
export function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}
