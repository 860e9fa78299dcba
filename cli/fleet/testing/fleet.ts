/** A fleet for tests: mocks with slots of their own behind Debian's HAProxy. */
import { spawn, spawnSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { createTestFolder } from '../../testing/folder.ts'
import { startMock } from '../../testing/process.ts'
import { findFreePort } from '../../testing/run.ts'
import { haproxyConfigOf, readFleetNodes } from '../main.ts'

/** The number of slots of the fleets in tests. */
export const slotCount = 1_024

/** True if HAProxy is installed: its tests are skipped otherwise. */
export const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0

/** The first and the last slot of mock `i` of `count` mocks. */
const rangeOf = (i: number, count: number) => [
  Math.floor((i * slotCount) / count),
  Math.floor(((i + 1) * slotCount) / count) - 1,
]

/** Starts `count` mocks and a HAProxy in front of them. `flags`: those of each mock. */
export async function startFleet(count: number, flags = '') {
  const { file, write } = createTestFolder()
  const ports = await Promise.all(Array.from({ length: count }, findFreePort))
  const nodes = ports.map((port, i) => ({
    address: `127.0.0.1:${port}`,
    slots: `${rangeOf(i, count).join('-')}/${slotCount}`,
  }))
  const start = (i: number) =>
    startMock(
      `--port ${ports[i]} --slots ${nodes[i]?.slots} --log off --state ${file(`${i}.json`)} --state-sync ${flags}`,
    )
  const mocks = await Promise.all(ports.map((_, i) => start(i)))
  const address = `127.0.0.1:${await findFreePort()}`
  const configuration = write(
    'haproxy.cfg',
    haproxyConfigOf(readFleetNodes(write('nodes.json', nodes)), address),
  )
  const check = spawnSync('haproxy', ['-c', '-f', configuration], { encoding: 'utf8' })
  const balancer = spawn('haproxy', ['-db', '-f', configuration], { stdio: 'ignore' })
  onTestFinished(() => void balancer.kill('SIGKILL'))
  const url = `http://${address}`
  for (let isUp = false; !isUp; )
    isUp = await fetch(`${url}/api/cli/whoami`).then(
      ({ status }) => status === 401,
      () => false,
    )
  return { url, nodes, mocks, check, start }
}
