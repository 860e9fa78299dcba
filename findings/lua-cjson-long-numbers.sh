#!/bin/sh
# Debian's lua-cjson 2.1.0+dfsg-2.2 and lua-json 1.3.4-2, with lua5.3, on Debian 12.
# lua-cjson writes numbers with 14 digits: an id of 16 digits, and a time in microseconds, that were read and written
# again are others, in powers of ten; 100000000000000 is 1e+14. lua-json keeps whole numbers on the same Lua, whose
# integers have 64 bits, and loses the last digit of a sum with cents as lua-cjson does.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root lua-cjson=2.1.0+dfsg-2.2 lua-json=1.3.4-2 \
  lua-lpeg=1.0.2-2 lua5.3=5.3.6-2 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.lua <<'END'
local cjson = require 'cjson'
local json = require 'json'

for _, text in ipairs {
  '{"id":12345678901234}', '{"id":1234567890123456}', '{"at":1796120430123456}', '{"size":100000000000000}',
  '{"sum":1234567890123.45}',
} do
  print(text)
  print('  lua-cjson ' .. cjson.encode(cjson.decode(text)))
  print('  lua-json ' .. json.encode(json.decode(text)))
end
END
cat > expected <<'END'
{"id":12345678901234}
  lua-cjson {"id":12345678901234}
  lua-json {"id":12345678901234}
{"id":1234567890123456}
  lua-cjson {"id":1.2345678901235e+15}
  lua-json {"id":1234567890123456}
{"at":1796120430123456}
  lua-cjson {"at":1.7961204301235e+15}
  lua-json {"at":1796120430123456}
{"size":100000000000000}
  lua-cjson {"size":1e+14}
  lua-json {"size":100000000000000}
{"sum":1234567890123.45}
  lua-cjson {"sum":1234567890123.4}
  lua-json {"sum":1234567890123.4}
END
libraries=$(dirname "$(find usr/lib -name 'cjson.so' -path '*5.3*' | head -n 1)")
LUA_PATH="usr/share/lua/5.3/?.lua;usr/share/lua/5.3/?/init.lua" LUA_CPATH="$libraries/?.so" \
  usr/bin/lua5.3 find.lua > seen
diff expected seen && echo 'as found'
