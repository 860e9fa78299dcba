/** The licences of what the command's bundle holds of others: each asks that it goes along. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One text with the licence of each package that these modules are of. @throws Error for one without. */
export function noticesOf(modules: readonly string[]): string {
  const packages = new Set(
    modules.flatMap((module) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module) ?? []),
  )
  const notices = [...packages].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
    if (file === undefined) throw new Error(`${name} comes without a licence`)
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return ['The command holds code of these packages.\n', ...notices].join(`\n${'-'.repeat(72)}\n\n`)
}
