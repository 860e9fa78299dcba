/** Who judges, as reports say it. */
import manifest from '../package.json' with { type: 'json' }

export const suiteNameAndVersion = { name: manifest.name, version: manifest.version }
