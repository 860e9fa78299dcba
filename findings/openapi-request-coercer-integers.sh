#!/bin/sh
# openapi-request-coercer 12.1.3, openapi-request-validator 12.1.3, on Node 26.10.0.
# The validator refuses what the document does not allow; behind the coercer, where openapi-framework has it, it
# cannot. `?limit=1.5` is cut to 1, `?limit=` is 0, and an id of 20 digits is another one, each of which the document
# allows: the service answers for a page that nobody asked for. `?limit=many` is refused.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . openapi-request-coercer@12.1.3 openapi-request-validator@12.1.3

cat > find.cjs <<'END'
const { default: Coercer } = require('openapi-request-coercer')
const { default: Validator } = require('openapi-request-validator')

const parameters = [{ in: 'query', name: 'limit', schema: { type: 'integer' } }]
for (const limit of ['5', '1.5', '', '12345678901234567890', 'many']) {
  const request = { headers: {}, params: {}, query: { limit } }
  new Coercer({ parameters }).coerce(request)
  const errors = new Validator({ parameters }).validateRequest(request)
  console.log(`?limit=${limit}: ${errors ? 'refused' : 'accepted as'} ${request.query.limit}`)
}
END
cat > expected <<'END'
?limit=5: accepted as 5
?limit=1.5: accepted as 1
?limit=: accepted as 0
?limit=12345678901234567890: accepted as 12345678901234567000
?limit=many: refused many
END
node find.cjs > seen
diff expected seen && echo 'as found'
