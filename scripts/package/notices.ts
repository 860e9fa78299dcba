/** The licences of the packages whose code the bundled command contains. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licences of the packages that these modules belong to. @throws Error for a package without one. */
export function noticesOf(modules: readonly string[]): string {
  const packages = new Set(
    modules.flatMap((module) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module) ?? []),
  )
  const notices = [...packages].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
    if (file === undefined) throw new Error(`${name} has no licence file`)
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return ['The command contains code of these packages.\n', ...notices].join(`\n${'-'.repeat(72)}\n\n`)
}
