#!/bin/sh
# jest-fetch-mock 4.2.0, with jest-mock 30.5.2, Jest's own mocks, on Node 26.10.0.
# An answer with 204 or 304 and an empty text for a body, which is how its page gives a body, makes the call of the
# mocked fetch throw at once, so that not even its `catch()` hears of it; without a body it is answered. An abort ends a
# delayed answer when the delay is over. An address given as an expression with the flag `g` is mocked every other time.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . jest-fetch-mock@4.2.0 jest-mock@30.5.2

cat > find.cjs <<'END'
globalThis.jest = Object.assign(require('jest-mock'), { setMock() {} })
const { default: mock } = require('jest-fetch-mock')

async function ask(name, signal) {
  const begin = performance.now()
  let seen
  try {
    seen = await mock('https://api.test/tasks', { signal }).then(({ status }) => status, (error) => `${error.name}, ${error.message.trim()}`)
  } catch (error) {
    seen = `thrown, not rejected: ${error.message}`
  }
  console.log(`${name}: ${seen}${signal ? `, ${performance.now() - begin < 400 ? 'at once' : 'after the delay'}` : ''}`)
}
async function main() {
  mock.mockResponse('', { status: 200 })
  await ask('200')
  for (const status of [204, 304]) {
    mock.mockResponse('', { status })
    await ask(`${status}, empty text`)
    mock.mockResponse(() => ({ status }))
    await ask(`${status}, no body`)
  }
  mock.mockResponse(() => new Promise((answer) => setTimeout(answer, 900, 'late')))
  await ask('a limit of 100 ms', AbortSignal.timeout(100))
  mock.mockIf(/api\.test/g, 'one')
  for (const time of ['first', 'second', 'third']) await ask(`${time} time`)
}
main()
END
cat > expected <<'END'
200: 200
204, empty text: thrown, not rejected: Response constructor: Invalid response status code 204
204, no body: 204
304, empty text: thrown, not rejected: Response constructor: Invalid response status code 304
304, no body: 304
a limit of 100 ms: TimeoutError, The operation was aborted due to timeout, after the delay
first time: 200
second time: TypeError, fetch failed
third time: 200
END
node find.cjs > seen
diff expected seen && echo 'as found'
