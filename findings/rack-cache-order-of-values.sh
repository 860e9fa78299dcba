#!/bin/sh
# Debian's ruby-rack-cache 1.2-4.1, on Debian 12.
# Rack::Cache sorts the values of a query as well as its names: tasks sorted by day and then by title are given out
# for those sorted by title and then by day. And an answer with `Vary: *`, which by RFC 9111 fits no other request,
# is given out again.
set -eu
package=ruby-rack-cache=1.2-4.1
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.rb <<'END'
require 'rack/cache'
require 'rack/mock'

service = lambda do |env|
  headers = { 'Cache-Control' => 'max-age=60' }
  headers['Vary'] = '*' if env['PATH_INFO'] == '/mine'
  [200, headers, ["#{env['QUERY_STRING']} #{env['HTTP_ACCEPT_LANGUAGE']}".strip]]
end
cache = Rack::Cache.new(service, metastore: 'heap:/', entitystore: 'heap:/', verbose: false)
client = Rack::MockRequest.new(cache)
%w[sort=day&sort=title sort=title&sort=day sort=title].each do |query|
  puts "#{query}: #{client.get("/tasks?#{query}").body}"
end
%w[de en].each do |language|
  puts "#{language}: #{client.get('/mine', 'HTTP_ACCEPT_LANGUAGE' => language).body}"
end
END
cat > expected <<'END'
sort=day&sort=title: sort=day&sort=title
sort=title&sort=day: sort=day&sort=title
sort=title: sort=title
de: de
en: de
END
ruby -W0 find.rb > seen
diff expected seen && echo 'as found'
