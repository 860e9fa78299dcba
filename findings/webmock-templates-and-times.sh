#!/bin/sh
# Debian's ruby-webmock 3.18.1-2 and ruby-addressable 2.8.1-1, on Debian 12.
# A stub of a URI template such as `/tasks{?since}` answers a request for a day, but none for a time, an address of
# mail or two tags with a comma, however the client encodes them: WebMock decodes `%3A`, `%40` and `%2C` before it
# looks, and the template takes none of these signs. Addressable alone finds the value in the same URL.
set -eu
for package in ruby-webmock=3.18.1-2 ruby-addressable=2.8.1-1; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.rb <<'END'
require 'addressable/template'
require 'net/http'
require 'webmock'
include WebMock::API
WebMock.enable!

[
  ['{?since}', '?since=2026-01-01'],
  ['{?since}', '?since=2026-01-01T12%3A30%3A00Z'],
  ['{?owner}', '?owner=one%40mocked.test'],
  ['{?tags}', '?tags=red%2Cblue'],
  ['{?title}', '?title=salt%26pepper'],
  ['/{id}', '/1'],
  ['/{id}', '/one%40mocked.test']
].each do |ending, sent|
  template = Addressable::Template.new("http://mocked.test/tasks#{ending}")
  url = "http://mocked.test/tasks#{sent}"
  WebMock.reset!
  stub_request(:get, template)
  answered = begin
    Net::HTTP.get(URI(url)) && 'answered'
  rescue WebMock::NetConnectNotAllowedError
    'not answered'
  end
  puts "#{ending} #{sent}: #{answered}, found alone #{template.extract(url).values.inspect}"
end
END
cat > expected <<'END'
{?since} ?since=2026-01-01: answered, found alone ["2026-01-01"]
{?since} ?since=2026-01-01T12%3A30%3A00Z: not answered, found alone ["2026-01-01T12:30:00Z"]
{?owner} ?owner=one%40mocked.test: not answered, found alone ["one@mocked.test"]
{?tags} ?tags=red%2Cblue: not answered, found alone ["red,blue"]
{?title} ?title=salt%26pepper: answered, found alone ["salt&pepper"]
/{id} /1: answered, found alone ["1"]
/{id} /one%40mocked.test: not answered, found alone ["one@mocked.test"]
END
ruby -W0 find.rb > seen
diff expected seen && echo 'as found'
