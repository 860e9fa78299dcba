#!/bin/sh
# xior 0.8.5, xior/plugins/mock, on Node 26.10.0.
# By its page onGet('/users') mocks the requests to /users. A path and a body match already if they begin as the mocked
# ones: the mock of /users answers /users/1, which has a mock of its own, and /users-archive, and a POST of "task 12"
# gets the answer to "task 1". A client that calls a wrong path passes its test. axios-mock-adapter, which its page names as
# its model, takes the whole path.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . axios@1.21.1 axios-mock-adapter@2.1.0 xior@0.8.5

cat > find.mjs <<'END'
import axios from 'axios'
import AxiosMockAdapter from 'axios-mock-adapter'
import xior from 'xior'
import XiorMockPlugin from 'xior/plugins/mock'

for (const [name, library, Mock] of [
  ['axios', axios, AxiosMockAdapter],
  ['xior', xior, XiorMockPlugin],
]) {
  const client = library.create()
  const mock = new Mock(client)
  mock.onGet('/users').reply(200, 'the list')
  mock.onGet('/users/1').reply(200, 'user 1')
  mock.onPost('/tasks', { title: 'task 1' }).reply(201, 'made task 1')
  const show = (answer) => answer.then(({ data }) => data, ({ message }) => message)
  console.log(`${name}: GET /users: ${await show(client.get('/users'))}`)
  console.log(`${name}: GET /users/1: ${await show(client.get('/users/1'))}`)
  console.log(`${name}: GET /users-archive: ${await show(client.get('/users-archive'))}`)
  console.log(`${name}: POST task 12: ${await show(client.post('/tasks', { title: 'task 12' }))}`)
}
END
cat > expected <<'END'
axios: GET /users: the list
axios: GET /users/1: user 1
axios: GET /users-archive: Request failed with status code 404
axios: POST task 12: Request failed with status code 404
xior: GET /users: the list
xior: GET /users/1: the list
xior: GET /users-archive: the list
xior: POST task 12: made task 1
END
node find.mjs > seen
diff expected seen && echo 'as found'
