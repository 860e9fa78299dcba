#!/bin/sh
# standardwebhooks 1.1.1, on Node 26.10.0.
# A webhook that arrives with a right signature is refused for "Missing required headers" if its headers are those of a
# fetch `Request`, as handlers of Hono, Next and Deno get; the same as an object pass. What it gives back is the body as
# read by JSON.parse: an id of 19 digits is another one, and a body that is no JSON raises a SyntaxError although its
# signature is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . standardwebhooks@1.1.1

cat > find.mjs <<'END'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(Buffer.from('a secret of this test').toString('base64'))
const now = new Date()
for (const body of ['{"done":true}', '{"id":1850000000000000001}', 'done']) {
  const headers = { 'webhook-id': '1', 'webhook-timestamp': `${Math.floor(now / 1000)}`, 'webhook-signature': webhook.sign('1', now, body) }
  for (const [kind, given] of [['an object', headers], ['of a Request', new Request('http://app.test/hook', { method: 'POST', headers }).headers]]) {
    let seen
    try {
      seen = JSON.stringify(webhook.verify(body, given))
    } catch (error) {
      seen = `${error.constructor.name} ${error.message.split('\n')[0]}`
    }
    console.log(`${body}, headers ${kind}: ${seen}`)
  }
}
END
cat > expected <<'END'
{"done":true}, headers an object: {"done":true}
{"done":true}, headers of a Request: WebhookVerificationError Missing required headers
{"id":1850000000000000001}, headers an object: {"id":1850000000000000000}
{"id":1850000000000000001}, headers of a Request: WebhookVerificationError Missing required headers
done, headers an object: SyntaxError Unexpected token 'd', "done" is not valid JSON
done, headers of a Request: WebhookVerificationError Missing required headers
END
node find.mjs > seen
diff expected seen && echo 'as found'
