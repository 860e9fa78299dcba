/** `npm run prepublishOnly`: writes `sbom.json`, the bill of materials of what an installation brings (CycloneDX). */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

interface Locked {
  readonly license?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly peer?: boolean
  readonly devOptional?: boolean
}

/** The packages that installing this package brings along, by name, as the lock file has them. */
export function lockedRuntimePackages(): Map<string, Locked> {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Locked>
  }
  const isBrought = ([path, { dev, optional, peer, devOptional }]: [string, Locked]) =>
    path !== '' && !(dev || optional || peer || devOptional)
  const named = ([path, one]: [string, Locked]) => [path.replace(/^.*node_modules\//, ''), one] as const
  return new Map(Object.entries(packages).filter(isBrought).map(named))
}

interface Bill {
  readonly components: readonly { readonly 'bom-ref': string; readonly name: string }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/**
 * Creates the bill of materials of an installation; `--omit dev` of npm would also leave out packages that development
 * tools share.
 */
export function billOfMaterials(): Bill {
  const argv = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
  const whole = JSON.parse(execFileSync('npm', argv, { encoding: 'utf8', maxBuffer: 1e8 })) as Bill
  const names = lockedRuntimePackages()
  const components = whole.components.filter(({ name }) => names.has(name))
  const refs = new Set(components.map((one) => one['bom-ref']))
  const isRoot = ({ ref }: Bill['dependencies'][number]) => ref.startsWith('work-agent-contract@')
  const dependencies = whole.dependencies
    .filter((one) => isRoot(one) || refs.has(one.ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  return { ...whole, components, dependencies }
}

if (import.meta.main) writeFileSync('sbom.json', `${JSON.stringify(billOfMaterials(), null, 2)}\n`)
