#!/bin/sh
# axios-har-tracker 0.8.0 with axios 1.21.1, on Node 26.10.0.
# The HAR is to hold what axios sent and got. A list in `params` is in it as tag[0]=red&tag[1]=blue, and as one value
# "0=red&1=blue", where tag[]=red&tag[]=blue was sent; a form with a file as the text {}; and a picture as the JSON of a
# Buffer, without an encoding, so that whoever plays the HAR gets that text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . axios@1.21.1 axios-har-tracker@0.8.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import axios from 'axios'
import { AxiosHarTracker } from 'axios-har-tracker'

const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47])
const server = createServer((request, answer) => {
  if (request.url.startsWith('/tasks')) console.log('sent query:', decodeURIComponent(request.url.split('?')[1]))
  request.resume().on('end', () => answer.setHeader('content-type', 'image/png').end(picture))
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const base = `http://127.0.0.1:${server.address().port}`

const tracker = new AxiosHarTracker(axios)
await axios.get(`${base}/tasks`, { params: { tag: ['red', 'blue'] } })
const form = new FormData()
form.append('file', new File(['text'], 'a.txt'))
await axios.post(`${base}/files`, form)
await axios.get(`${base}/picture`, { responseType: 'arraybuffer' })
const [tasks, files, image] = tracker.getGeneratedHar().log.entries
console.log('HAR url:', decodeURIComponent(tasks.request.url.split('?')[1]))
console.log('HAR query:', JSON.stringify(tasks.request.queryString))
console.log('HAR form:', files.request.postData.mimeType.split(';')[0], files.request.postData.text)
console.log('HAR picture:', image.response.content.encoding, image.response.content.text)
process.exit()
END
cat > expected <<'END'
sent query: tag[]=red&tag[]=blue
HAR url: tag[0]=red&tag[1]=blue
HAR query: [{"name":"tag","value":"0=red&1=blue"}]
HAR form: multipart/form-data {}
HAR picture: undefined {"type":"Buffer","data":[137,80,78,71]}
END
node find.mjs > seen
diff expected seen && echo 'as found'
