#!/bin/sh
# Debian's liblwp-useragent-determined-perl 1.07-3, on Debian 12.
# The agent that repeats failed requests by itself sends a POST four times too, a task each, and after a 500 as after a
# 503. It does not heed Retry-After, and leaves a 429 to the caller.
set -eu
package=liblwp-useragent-determined-perl=1.07-3
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > server.mjs <<'END'
import { createServer } from 'node:http';

const received = {};
const server = createServer((request, answer) => {
  if (request.url === '/count') return answer.end(JSON.stringify(received));
  received[request.url] = (received[request.url] ?? 0) + 1;
  request.resume();
  return answer.writeHead(Number(request.url.slice(1)), { 'retry-after': 60 }).end();
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
END
node server.mjs > port &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done

cat > find.pl <<'END'
use strict;
use warnings;
use LWP::UserAgent::Determined;

my $agent = LWP::UserAgent::Determined->new;
$agent->timing('0,0,0');
open my $port, '<', 'port' or die;
my $service = 'http://127.0.0.1:' . <$port>;
chomp $service;
print "$_: ", $agent->post("$service/$_", { title => 'one' })->code, "\n" for 429, 500, 503;
print $agent->get("$service/count")->content, "\n";
END
cat > expected <<'END'
429: 429
500: 500
503: 503
{"/429":1,"/500":4,"/503":4}
END
/usr/bin/perl find.pl > seen
diff expected seen && echo 'as found'
