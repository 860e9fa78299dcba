/**
 * Measures one way of mocking inside a test's own process, and prints one line of JSON. Arguments: the file that
 * makes it, and what that needs. Run with `--expose-gc`.
 */
const [file, ...rest] = process.argv.slice(2)
const { prepare } = await import(new URL(file, import.meta.url).href)
/** Answers a function that makes one mock: `ask()` sends the authenticated GET, `dispose()` ends it. */
const make = await prepare(...rest)

const rounds = 200
const warmUp = 50
const asked_ms = 1_500

async function once() {
  const mock = await make()
  await mock.ask()
  await mock.dispose()
}

async function heap() {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    globalThis.gc()
  }
  return process.memoryUsage().heapUsed
}

for (let i = 0; i < warmUp; i++) await once()
const before = await heap()
const started = performance.now()
for (let i = 0; i < rounds; i++) await once()
const ms = (performance.now() - started) / rounds
const kept_kb = ((await heap()) - before) / 1_024 / rounds

const mock = await make()
for (let i = 0; i < 2_000; i++) await mock.ask()
let asked = 0
const begun = performance.now()
while (performance.now() - begun < asked_ms) {
  await mock.ask()
  asked++
}
const us = ((performance.now() - begun) * 1_000) / asked
await mock.dispose()
console.log(JSON.stringify({ ms, kept_kb, us }))
process.exit()
