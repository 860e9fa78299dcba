#!/bin/sh
# Debian's ruby-webmock 3.18.1-2, on Debian 12; so with 3.26.2.
# Of a name that comes twice in a query or a form WebMock keeps the last value: the stub of `?tag=blue` answers a
# request for `?tag=red&tag=blue`, the stub of both answers a request for one, and the list of what was sent, which a
# test counts, has only the last. With `[]` after the name all values count.
set -eu
package=ruby-webmock=3.18.1-2
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.rb <<'END'
require 'net/http'
require 'webmock'
include WebMock::API
WebMock.enable!

def answered(stubbed, sent)
  WebMock.reset!
  stub_request(:get, "http://mocked.test/tasks?#{stubbed}")
  Net::HTTP.get(URI("http://mocked.test/tasks?#{sent}"))
  "answers #{sent}, listed as #{WebMock::RequestRegistry.instance.requested_signatures.hash.keys[0].uri.query}"
rescue WebMock::NetConnectNotAllowedError
  "does not answer #{sent}"
end

[
  %w[tag[]=blue tag[]=red&tag[]=blue],
  %w[tag=blue tag=red&tag=blue],
  %w[tag=red&tag=blue tag=blue]
].each { |stubbed, sent| puts "#{stubbed} #{answered(stubbed, sent)}" }
form = 'application/x-www-form-urlencoded'
stub_request(:post, 'http://mocked.test/tasks').with(body: { tag: 'blue' }).to_return(status: 201)
puts Net::HTTP.post(URI('http://mocked.test/tasks'), 'tag=red&tag=blue', 'Content-Type' => form).code
END
cat > expected <<'END'
tag[]=blue does not answer tag[]=red&tag[]=blue
tag=blue answers tag=red&tag=blue, listed as tag=blue
tag=red&tag=blue answers tag=blue, listed as tag=blue
201
END
ruby -W0 find.rb > seen
diff expected seen && echo 'as found'
