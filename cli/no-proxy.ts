/** Keeps requests to this machine away from the proxy that the environment names for others. */

const proxies = ['http_proxy', 'https_proxy', 'all_proxy']

/** The environment for a command that is to reach a service at a URL itself; the same where it names no proxy. */
export function withoutProxyFor(url: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isNamed = proxies.some((name) => env[name] || env[name.toUpperCase()])
  if (!isNamed) return env
  const { hostname } = new URL(url)
  const exempt = [env.no_proxy ?? env.NO_PROXY, hostname].filter(Boolean).join(',')
  return { ...env, no_proxy: exempt, NO_PROXY: exempt }
}
