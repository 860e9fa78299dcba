#!/bin/sh
# json-rpc-2.0 1.8.1, with jayson 5.0.0 and jsonrpc-lite 2.2.0, on Node 26.10.0.
# A batch of JSON-RPC is answered by a list. The server of json-rpc-2.0 answers a batch with one request, or with one
# and a notification, by a lone object; jayson's server by a list of one. jayson's client, told to send a batch, then
# gives the bare result where the list of answers should be: a test that looks for its id finds nothing. An `id` of null
# is a notification for the one server and a request for the other; jsonrpc-lite takes answers with an empty id or
# message, which are texts too, for invalid.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . jayson@5.0.0 json-rpc-2.0@1.8.1 jsonrpc-lite@2.2.0

cat > find.cjs <<'END'
const jayson = require('jayson')
const { JSONRPCServer } = require('json-rpc-2.0')
const Browser = require('jayson/lib/client/browser')
const lite = require('jsonrpc-lite')

const one = new jayson.Server({ add: ([a, b], answer) => answer(null, a + b) })
const other = new JSONRPCServer()
other.addMethod('add', ([a, b]) => a + b)
const call = { jsonrpc: '2.0', method: 'add', params: [1, 2] }
async function main() {
  for (const body of [{ ...call, id: 1 }, [{ ...call, id: 1 }, { ...call, id: 2 }], [{ ...call, id: 1 }], [{ ...call, id: 1 }, call], { ...call, id: null }]) {
    const text = JSON.stringify(body)
    console.log(text.replaceAll('"jsonrpc":"2.0","method":"add","params":[1,2]', '…'))
    console.log('  jayson:', JSON.stringify(await new Promise((done) => one.call(text, (_, answer) => done(answer)))))
    console.log('  json-rpc-2.0:', JSON.stringify(await other.receiveJSON(text)))
  }
  const browser = new Browser((text, answer) => other.receiveJSON(text).then((got) => answer(null, JSON.stringify(got))), {})
  for (const ids of [[1, 2], [1]]) {
    const batch = ids.map((id) => browser.request('add', [1, 2], id))
    const [fault, errors, answers] = await new Promise((done) => browser.request(batch, (a, b, c) => done([a, b, c])))
    console.log(`jayson's client, batch of ${ids.length}: ${JSON.stringify({ fault, errors, answers })}`)
  }
  for (const answer of ['{"jsonrpc":"2.0","id":"a","result":3}', '{"jsonrpc":"2.0","id":"","result":3}', '{"jsonrpc":"2.0","id":"a","error":{"code":-32000,"message":""}}'])
    console.log(`jsonrpc-lite, ${answer}: ${lite.parse(answer).type}`)
}
main()
END
cat > expected <<'END'
{…,"id":1}
  jayson: {"jsonrpc":"2.0","id":1,"result":3}
  json-rpc-2.0: {"jsonrpc":"2.0","id":1,"result":3}
[{…,"id":1},{…,"id":2}]
  jayson: [{"jsonrpc":"2.0","id":1,"result":3},{"jsonrpc":"2.0","id":2,"result":3}]
  json-rpc-2.0: [{"jsonrpc":"2.0","id":1,"result":3},{"jsonrpc":"2.0","id":2,"result":3}]
[{…,"id":1}]
  jayson: [{"jsonrpc":"2.0","id":1,"result":3}]
  json-rpc-2.0: {"jsonrpc":"2.0","id":1,"result":3}
[{…,"id":1},{…}]
  jayson: [{"jsonrpc":"2.0","id":1,"result":3}]
  json-rpc-2.0: {"jsonrpc":"2.0","id":1,"result":3}
{…,"id":null}
  jayson: undefined
  json-rpc-2.0: {"jsonrpc":"2.0","id":null,"result":3}
jayson's client, batch of 2: {"fault":null,"errors":[],"answers":[{"jsonrpc":"2.0","id":1,"result":3},{"jsonrpc":"2.0","id":2,"result":3}]}
jayson's client, batch of 1: {"fault":null,"answers":3}
jsonrpc-lite, {"jsonrpc":"2.0","id":"a","result":3}: success
jsonrpc-lite, {"jsonrpc":"2.0","id":"","result":3}: invalid
jsonrpc-lite, {"jsonrpc":"2.0","id":"a","error":{"code":-32000,"message":""}}: invalid
END
node find.cjs > seen
diff expected seen && echo 'as found'
