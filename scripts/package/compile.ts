/** Compiles code that uses the package, as a user's project would. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Ended, run } from './command.ts'

/** Module resolutions, with the module format that goes with each. */
export const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const

interface Consumer {
  /** The folder in which the package and the types of Node are installed. */
  readonly project: string
  readonly source: string
  readonly resolution: keyof typeof resolutions
  /** Whether to check declarations too: ours, and those that they import. */
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
