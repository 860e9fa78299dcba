/** Keeps requests to this machine away from a proxy that the environment names. */

const proxies = ['http_proxy', 'https_proxy', 'all_proxy']

/** Environment variables for a command that must reach a URL directly and not through a proxy. */
export function environmentWithoutProxy(url: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isNamed = proxies.some((name) => env[name] || env[name.toUpperCase()])
  if (!isNamed) return env
  const { hostname } = new URL(url)
  const exempt = [env.no_proxy ?? env.NO_PROXY, hostname].filter(Boolean).join(',')
  return { ...env, no_proxy: exempt, NO_PROXY: exempt }
}
