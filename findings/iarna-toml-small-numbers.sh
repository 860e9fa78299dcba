#!/bin/sh
# @iarna/toml 3.0.0 with smol-toml 1.9.1, on Node 26.10.0.
# A power of ten below a millionth is written so that neither it nor others can read it: 1e-7 is `1e-7.undefined`. A
# list that begins with an object and goes on with a number is written with an empty object in place of the number,
# without an error; the other way round it is right, and both are read.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @iarna/toml@3.0.0 smol-toml@1.9.1

cat > find.mjs <<'END'
import toml from '@iarna/toml'
import { parse, stringify } from 'smol-toml'

const back = (read, text) => {
  try {
    return JSON.stringify(read(text))
  } catch {
    return 'cannot be read'
  }
}
for (const value of [{ rate: 0.001 }, { rate: 1e-7 }, { rate: -2.5e-9 }, { steps: [5, { wait: 1 }] }, { steps: [{ wait: 1 }, 5] }]) {
  console.log(JSON.stringify(value))
  for (const [name, write] of [['smol-toml', stringify], ['@iarna/toml', toml.stringify]]) {
    const text = write(value)
    console.log(`  ${name}: ${JSON.stringify(text)}, read by itself ${back(name === 'smol-toml' ? parse : toml.parse, text)}, by smol-toml ${back(parse, text)}`)
  }
}
END
cat > expected <<'END'
{"rate":0.001}
  smol-toml: "rate = 0.001\n", read by itself {"rate":0.001}, by smol-toml {"rate":0.001}
  @iarna/toml: "rate = 0.001\n", read by itself {"rate":0.001}, by smol-toml {"rate":0.001}
{"rate":1e-7}
  smol-toml: "rate = 1e-7\n", read by itself {"rate":1e-7}, by smol-toml {"rate":1e-7}
  @iarna/toml: "rate = 1e-7.undefined\n", read by itself cannot be read, by smol-toml cannot be read
{"rate":-2.5e-9}
  smol-toml: "rate = -2.5e-9\n", read by itself {"rate":-2.5e-9}, by smol-toml {"rate":-2.5e-9}
  @iarna/toml: "rate = -2.5e-9\n", read by itself {"rate":-2.5e-9}, by smol-toml {"rate":-2.5e-9}
{"steps":[5,{"wait":1}]}
  smol-toml: "steps = [ 5, { wait = 1 } ]\n", read by itself {"steps":[5,{"wait":1}]}, by smol-toml {"steps":[5,{"wait":1}]}
  @iarna/toml: "steps = [ 5, { wait = 1 } ]\n", read by itself {"steps":[5,{"wait":1}]}, by smol-toml {"steps":[5,{"wait":1}]}
{"steps":[{"wait":1},5]}
  smol-toml: "steps = [ { wait = 1 }, 5 ]\n", read by itself {"steps":[{"wait":1},5]}, by smol-toml {"steps":[{"wait":1},5]}
  @iarna/toml: "[[steps]]\nwait = 1\n\n[[steps]]\n", read by itself {"steps":[{"wait":1},{}]}, by smol-toml {"steps":[{"wait":1},{}]}
END
node find.mjs > seen
diff expected seen && echo 'as found'
