## httpclient of Nim: `clients SET-UP METHOD=URL …` sends the requests one after another and prints the status and the
## length of each answer, or `error`.
import std/[httpclient, os, strutils]

let client = newHttpClient()
for request in commandLineParams()[1 .. ^1]:
  let parts = request.split('=', 1)
  try:
    let answer = client.request(parts[1], httpMethod = if parts[0] == "POST": HttpPost else: HttpGet)
    echo answer.code.int, " ", answer.body.len
  except CatchableError:
    echo "error"
  flushFile(stdout)
