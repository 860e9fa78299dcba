/** Creative generation: reserves a credit, generates and hosts; refunds on failure (§4 Extended route set). */

import type { BodyOf } from '#contract/operation.ts'
import { escapeXml } from '#reporting/markup.ts'
import { createFailure, type Failure } from './failure.ts'
import type { Organization } from './organization.ts'
import type { Creative } from './resources.ts'

const defaultSide = 1024
const longestSide = 4096

/**
 * Generates a creative (an image) for one credit (§8.2).
 * @param now ms since the epoch.
 * @param fails whether the generation fails; its credit is then refunded.
 * @returns the creative, or the failure.
 */
export function generateCreative(
  org: Organization,
  request: { prompt: string; size?: unknown },
  now: number,
  fails = false,
): Creative | Failure<'no_credits' | 'unavailable'> {
  const known = org.ledger.canReserve ? org.takeForetold('creatives') : undefined
  const id = known?.id ?? org.newId('artifact')
  const reserve = org.reserve(id, now)
  if (!reserve) return createFailure('no_credits')
  if (fails || org.overrides.next_creative_fails) {
    if (org.overrides.next_creative_fails) org.override({ next_creative_fails: false })
    org.ledger.refund(reserve, now)
    return createFailure(
      'unavailable',
      'The generation failed and its Work Credit was refunded. Try again shortly.',
    )
  }
  const [width, height] = sides(request.size)
  return org.creatives.append({
    id,
    prompt: request.prompt,
    width,
    height,
    hue: Math.floor(org.random.ids.fraction() * 360),
    created_at: now,
  })
}

/** Returns width and height from a size such as `1536x1024`; anything else gives a square. */
function sides(size: unknown): [number, number] {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(typeof size === 'string' ? size : '') ?? []
  const side = (text: string | undefined) => Math.min(Math.max(Number(text ?? defaultSide), 16), longestSide)
  return [side(width), side(height)]
}

/** Draws the image of a creative as SVG. */
export function renderCreativeSvg(creative: Creative): string {
  const { width, height, hue } = creative
  const size = Math.max(12, Math.round(Math.min(width, height) / 16))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<defs><linearGradient id="sky" x2="1" y2="1">`,
    `<stop stop-color="hsl(${hue} 70% 62%)"/><stop offset="1" stop-color="hsl(${(hue + 60) % 360} 70% 32%)"/>`,
    `</linearGradient></defs><rect width="100%" height="100%" fill="url(#sky)"/>`,
    `<text x="50%" y="50%" fill="#fff" font-family="sans-serif" font-size="${size}" text-anchor="middle">`,
    `${escapeXml(creative.prompt.slice(0, 80))}</text></svg>`,
  ].join('')
}

/** Creates a landing page of an organization, published if `publish` is true; `now`: ms since the epoch. */
export function createLandingPage(org: Organization, request: BodyOf<'createLandingPage'>, now: number) {
  const business_name = request.business_name ?? org.name
  const known = org.takeForetold('landing_pages')
  return org.landingPages.append({
    id: known?.id ?? org.newId('site'),
    business_name,
    subdomain:
      known?.subdomain ??
      freeSubdomain(org, hostNameSlug(request.preferred_subdomain ?? business_name).slice(0, 40) || 'site'),
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
export function hostNameSlug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}
