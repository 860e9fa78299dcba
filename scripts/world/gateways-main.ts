/** `npm run generate gateways`: runs every configuration of every gateway, and writes the page of them. Outside CI. */
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RawServer } from '../http-clients/raw-server.ts'
import { gatewayConfigurations } from './configurations.ts'
import { installNpmGateways, isGatewayAvailable, RunningGateway, versionOf } from './gateway-process.ts'
import { type Gateway, gateways } from './gateways.ts'
import { type GatewayRow, renderGatewaysPage } from './gateways-page.ts'
import { probeGateway } from './probe.ts'

using npmFolder = mkdtempDisposableSync(join(tmpdir(), 'gateways-'))
installNpmGateways(npmFolder.path)
const server = new RawServer()
const upstream = Number(new URL(await server.listen()).port)

const rowsOf = async (gateway: Gateway): Promise<GatewayRow[]> => {
  const rows: GatewayRow[] = []
  for (const configuration of gatewayConfigurations.filter((one) => one.gateway === gateway.name)) {
    const running = await RunningGateway.start(gateway, upstream, configuration.lines, npmFolder.path)
    try {
      rows.push({
        configuration,
        version: versionOf(gateway),
        probed: await probeGateway(running.url, server),
      })
    } finally {
      await running.stop()
    }
    console.log(JSON.stringify(rows.at(-1)))
  }
  return rows
}

const missing = gateways.filter((gateway) => !isGatewayAvailable(gateway)).map(({ name }) => name)
const rows = (await Promise.all(gateways.filter(isGatewayAvailable).map(rowsOf))).flat()
server.close()
if (missing.length > 0) {
  console.error(`not here, so that the page stays as it is: ${missing.join(', ')}`)
  process.exitCode = 1
} else {
  const system =
    /^PRETTY_NAME="([^(]*\d+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform
  writeFileSync(new URL('../../docs/gateways.md', import.meta.url), renderGatewaysPage(rows, system))
}
