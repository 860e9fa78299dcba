/** Compiles what somebody wrote against the package, as their own project would. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Ended, run } from './command.ts'

/** How a project finds modules, and what goes with that. */
export const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const

interface Consumer {
  /** In which the package and the types of Node are installed. */
  readonly project: string
  readonly source: string
  readonly resolution: keyof typeof resolutions
  /** Whether declarations, ours and those of all that they need, are checked too. */
  readonly declarations: boolean
}

export function compile({ project, source, resolution, declarations }: Consumer): Promise<Ended> {
  const file = `${resolution}.mts`
  const compilerOptions = {
    ...resolutions[resolution],
    target: 'es2022',
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: !declarations,
  }
  const config = join(project, `tsconfig.${resolution}.json`)
  writeFileSync(join(project, file), source)
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }))
  return run(process.execPath, project, resolve('node_modules/.bin/tsc'), '--project', config)
}
