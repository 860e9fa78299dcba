/** Writes docs/control-api.md from the table of control routes. */
import { writeFileSync } from 'node:fs'
import { controlRoutes } from '#mocks/edges/control/index.ts'
import { controlReference } from '#mocks/edges/control/reference.ts'

writeFileSync(new URL('../docs/control-api.md', import.meta.url), controlReference(controlRoutes))
