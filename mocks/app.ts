/** Creates a mock: a stateful implementation of the contract, for any edge. */
import { z } from 'zod'
import { endWithFullStop, eventListenerSchema, parseOrThrow } from '#contract/input/checked.ts'
import { createControls, createOrganizationControls } from './control/controls.ts'
import { createFetch, FetchRequest, memoizeSuccessfulLoad } from './edges/fetch.ts'
import type { RequestHandler } from './edges/request.ts'
import { handlers } from './handlers/index.ts'
import { type Mock, registerMockParts } from './mock.ts'
import { preconditions } from './pipeline/decide.ts'
import { misdirectedAnswer } from './pipeline/elsewhere.ts'
import { isApiPath } from './pipeline/routes.ts'
import { serveApiRequest } from './pipeline/serve.ts'
import { createMockParts, type DecisionFunctions } from './pipeline/service.ts'
import { type MockOptions, parseOptionsWithScenario } from './scenarios/index.ts'
import { cookieHeaderOf, organizationNameForAnyKey, sessionTokenOf } from './tenants/tenant.ts'
import { authenticateCaller, type Tenants } from './tenants/tenants.ts'

export type { Mock } from './mock.ts'

/**
 * The functions that decide how a mock answers a request: authentication, preconditions and handlers. The proof
 * replaces some of them to create mocks with deliberate defects.
 */
export const defaultRequestBehaviour: DecisionFunctions = {
  authenticate: authenticateCaller,
  preconditions,
  handlers,
}

/** Schema of an object with fields: options in anything else, such as a Map, would be ignored. */
const optionsSchema = z.custom<MockOptions>(
  (value) => Object.prototype.toString.call(value) === '[object Object]',
  'takes an object with options',
)

/**
 * Creates a mock.
 * @param behaviour replaces `defaultRequestBehaviour`: the proof gives mocks with deliberate defects, to show that the
 * tests notice them. @throws TypeError that names every invalid option.
 */
export function createMock(
  options: MockOptions = {},
  behaviour: DecisionFunctions = defaultRequestBehaviour,
): Mock {
  parseOrThrow('createMock', optionsSchema, options)
  const settings = parseOptionsWithScenario(options)
  if (Array.isArray(settings)) {
    throw new TypeError(settings.map(({ option, problem }) => `${option} ${problem}`).join('; '))
  }
  const service = createMockParts(options, settings, behaviour, async (recorded, until) => {
    const { rebuildMock } = await import('./rebuilt.ts')
    const { cors, reasonHeader, organizations, rows } = service.settings
    const kept = { cors, reasonHeader, organizations, rows }
    const create = (options: MockOptions) => createMock({ ...kept, ...options })
    const { mock: rebuilt, notes } = await rebuildMock(create, recorded, until)
    rebuilt.clock.run()
    return { snapshot: rebuilt.snapshot(), notes }
  })
  const { tenants } = service
  const { slots } = tenants
  const documents = memoizeSuccessfulLoad(async () => {
    const { createNonApiHandler } = await import('./edges/documents.ts')
    return createNonApiHandler(service, async (request, connection) =>
      handle(new FetchRequest(request, connection)),
    )
  })
  const handle: RequestHandler = (request) => {
    if (!isApiPath(request.path)) return documents().then((answer) => answer(request))
    return (slots && misdirectedAnswer(request, slots)) ?? serveApiRequest(service, request)
  }
  const named = (method: string, name = tenants.demoName) => nameOf(tenants, method, name)
  const mock: Mock = {
    fetch: createFetch(handle),
    handle,
    ...createControls(service),
    organization: (name) => createOrganizationControls(service, named('organization', name)),
    get settings() {
      return service.settings
    },
    bugs: service.bugs,
    credentials(given) {
      const name = named('credentials', given)
      const other = tenants.otherThan(name)
      return {
        apiKey: tenants.keyFor(name),
        otherApiKey: tenants.keyFor(other),
        sessionCookie: cookieHeaderOf(sessionTokenOf(name)),
        otherSessionCookie: cookieHeaderOf(sessionTokenOf(other)),
      }
    },
    observe(notify) {
      const told = parseOrThrow('observe', eventListenerSchema, notify) as typeof notify
      service.observers.add(told)
      return () => service.observers.delete(told)
    },
  }
  registerMockParts(mock, service)
  return mock
}

/**
 * Name of an organization, from a name or a key. @throws TypeError for an invalid name, such as one with invalid
 * options.
 */
function nameOf(tenants: Tenants, method: string, given: string): string {
  const text = parseOrThrow(
    method,
    z.string('takes the name of an organization, such as "ada"').min(1),
    given,
  )
  const name = organizationNameForAnyKey(text, tenants.settings.keysOnly)
  if (!tenants.isAllowed(name)) throw new TypeError(`${method}: keysOnly has no key of this organization.`)
  const [problem] = tenants.problemsOf(name)
  if (problem) throw new TypeError(`${method}: ${endWithFullStop(`${problem.option} ${problem.problem}`)}`)
  return name
}
