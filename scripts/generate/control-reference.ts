/** Writes docs/control-api.md from the table of control routes. */
import { writeFileSync } from 'node:fs'
import { controlRoutes } from '#mocks/edges/admin/index.ts'
import { controlReference } from '#mocks/edges/admin/reference.ts'

writeFileSync(new URL('../../docs/control-api.md', import.meta.url), controlReference(controlRoutes))
