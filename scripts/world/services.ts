/** The services behind the gateways, as processes: the mock and both example backends. */
import { startProcessUntilReady } from '#cli/testing/run.ts'
import type { ServiceName } from './verdicts.ts'

/** A service that is put behind the gateways. */
export interface Service {
  readonly url: string
  /** The flags of `verify` for it, without the URL. */
  readonly flags: readonly string[]
  readonly stop: () => Promise<unknown>
}

const programs: Readonly<Record<ServiceName, readonly string[]>> = {
  mock: [
    process.execPath,
    'cli/main.ts',
    'mock',
    '--log',
    'json',
    '--run-duration',
    '200ms',
    '--credits',
    '60',
  ],
  'backend-node': [process.execPath, 'server.ts'],
  'backend-python': ['/usr/bin/python3', 'service.py'],
}

/** The facts in the first line of a service; those that it lacks are as the mock has them by default. */
interface Ready {
  readonly url: string
  readonly states_url?: string
  readonly api_key?: string
  readonly other_api_key?: string
  readonly session_cookie?: string
  readonly other_session_cookie?: string
}

/** Starts a service on a free port; `more`: flags of the mock. */
export async function startService(name: ServiceName, more: readonly string[] = []): Promise<Service> {
  const [program = '', ...args] = programs[name]
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
  const cwd = name === 'mock' ? '.' : `examples/${name}`
  const { ready, stop } = await startProcessUntilReady(program, [...args, ...more, '--port', '0'], {
    cwd,
    env,
  })
  const {
    url,
    states_url = `${url}/__admin/states`,
    api_key = 'wak_test_demo',
    other_api_key = 'wak_test_other',
    session_cookie = 'work_agent_session=was_test_demo',
    other_session_cookie = 'work_agent_session=was_test_other',
  } = ready as Ready
  const flags = ['--states-url', states_url, '--api-key', api_key, '--other-api-key', other_api_key]
  const cookies = ['--session-cookie', session_cookie, '--other-session-cookie', other_session_cookie]
  return { url, flags: [...flags, ...cookies, '--extended', 'on', '--max-credits', '30'], stop }
}
