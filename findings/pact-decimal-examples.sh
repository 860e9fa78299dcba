#!/bin/sh
# @pact-foundation/pact 17.1.4, MatchersV3.decimal(), on Node 26.10.0.
# The mock of a contract with the price decimal(10) answers 10, and the consumer passes. The verifier of the same contract
# refuses the very same answer: 10 is no decimal number for it. A service in JavaScript cannot write 10.0; with
# decimal(10.5) it fails on each whole price. number() takes both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @pact-foundation/pact@17.1.4

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { MatchersV3, PactV3, Verifier } from '@pact-foundation/pact'

const prices = {
  '/decimal-10': [MatchersV3.decimal(10), 10],
  '/decimal-10.5': [MatchersV3.decimal(10.5), 11.5],
  '/decimal-10.5-whole': [MatchersV3.decimal(10.5), 10],
  '/number-10': [MatchersV3.number(10), 10.5],
}
const service = createServer(({ url }, answer) => {
  answer.setHeader('content-type', 'application/json').end(JSON.stringify({ price: prices[url][1] }))
}).listen(0, '127.0.0.1')
await new Promise((listening) => service.on('listening', listening))
const providerBaseUrl = `http://127.0.0.1:${service.address().port}`

for (const [path, [price]] of Object.entries(prices)) {
  const contract = new PactV3({ consumer: `shop${path.slice(1)}`, provider: 'prices', dir: './pacts', logLevel: 'error' })
  contract.uponReceiving('a price').withRequest({ method: 'GET', path })
  contract.willRespondWith({ status: 200, headers: { 'Content-Type': 'application/json' }, body: { price } })
  const mocked = await contract.executeTest(async ({ url }) => (await fetch(url + path)).text())
  const pactUrls = [`./pacts/shop${path.slice(1)}-prices.json`]
  const verified = await new Verifier({ provider: 'prices', providerBaseUrl, pactUrls, logLevel: 'error' })
    .verifyProvider()
    .then(() => 'accepted', () => 'refused')
  console.error(`${path}: mock ${mocked}, service ${JSON.stringify({ price: prices[path][1] })} ${verified}`)
}
process.exit()
END
cat > expected <<'END'
/decimal-10: mock {"price":10}, service {"price":10} refused
/decimal-10.5: mock {"price":10.5}, service {"price":11.5} accepted
/decimal-10.5-whole: mock {"price":10.5}, service {"price":10} refused
/number-10: mock {"price":10}, service {"price":10.5} accepted
END
node --no-deprecation find.mjs 2> seen > log
diff expected seen && echo 'as found'
