/** Who judges, as reports say it. */
import manifest from '../package.json' with { type: 'json' }

/** The name and the version of this package, by which reports name their author. */
export const packageNameAndVersion = { name: manifest.name, version: manifest.version }
