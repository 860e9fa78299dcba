/** The specification, sentence by sentence, in its order. */
import { authentication, events } from './authentication.ts'
import { errors } from './errors.ts'
import { extendedRoutes } from './extended-routes.ts'
import { limits, versioning } from './limits.ts'
import { otherResources } from './resources.ts'
import { coreRoutes } from './routes.ts'
import type { Part } from './sentence.ts'
import { introduction, service } from './service.ts'
import { states } from './states.ts'
import { task } from './tasks.ts'

const { organization, key, document, notification, extended } = otherResources

export const specification: readonly Part[] = [
  { title: 'Introduction', sentences: introduction },
  { title: '§1 What the service does', sentences: service },
  {
    title: '§2 Resources and their fields',
    sentences: [...organization, ...key, ...task, ...document, ...notification, ...extended],
  },
  { title: '§3 States and transitions', sentences: states },
  {
    title: '§4 Endpoints',
    sentences: [
      ...coreRoutes.general,
      ...coreRoutes.identity,
      ...coreRoutes.tasks,
      ...coreRoutes.documents,
      ...coreRoutes.notifications,
      ...extendedRoutes,
    ],
  },
  { title: '§5 Authentication', sentences: authentication },
  { title: '§6 Events', sentences: events },
  { title: '§7 Errors', sentences: errors },
  { title: '§8 Limits', sentences: limits },
  { title: '§9 Versioning', sentences: versioning },
]
