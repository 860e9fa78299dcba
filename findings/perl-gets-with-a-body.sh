#!/bin/sh
# Debian's libfurl-perl 3.14-2 and libhttp-tiny-perl 0.082-2, on Debian 12.
# After a 303 both make a GET of a POST, as they should, and send the body, its length and its type with it; so does
# Furl after a 302. A service that takes no body with a GET answers 400 to what a browser may do. LWP::UserAgent leaves
# out all three.
set -eu
for package in libfurl-perl=3.14-2 libwww-perl=6.68-1; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root libhttp-tiny-perl=0.082-2 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > server.mjs <<'END'
import { createServer } from 'node:http';

const server = createServer(async (request, answer) => {
  let body = '';
  for await (const part of request) body += part;
  const moved = /^\/(30\d)$/.exec(request.url)?.[1];
  if (moved) answer.writeHead(Number(moved), { location: '/tasks', connection: 'close' }).end();
  else answer.setHeader('connection', 'close').end(`${request.method}, type ${request.headers['content-type']}, body${body && ` ${body}`}\n`);
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
END
node server.mjs > port &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done

cat > find.pl <<'END'
use strict;
use warnings;
use Furl;
use HTTP::Tiny 0.082;
use LWP::UserAgent;

my $lwp = LWP::UserAgent->new(requests_redirectable => ['GET', 'HEAD', 'POST']);
open my $port, '<', 'port' or die;
my $service = 'http://127.0.0.1:' . <$port>;
chomp $service;
my @type = ('Content-Type' => 'application/json');
for my $status (302, 303) {
    my $url = "$service/$status";
    print "$status, Furl: ", Furl->new->post($url, \@type, '{}')->content;
    my $tiny = HTTP::Tiny->new->post($url, { headers => {@type}, content => '{}' });
    print "$status, HTTP::Tiny: ", $tiny->{content} || "not followed\n";
    print "$status, LWP: ", $lwp->post($url, @type, Content => '{}')->content;
}
END
cat > expected <<'END'
302, Furl: GET, type application/json, body {}
302, HTTP::Tiny: not followed
302, LWP: GET, type undefined, body
303, Furl: GET, type application/json, body {}
303, HTTP::Tiny: GET, type application/json, body {}
303, LWP: GET, type undefined, body
END
/usr/bin/perl -Iusr/share/perl5 find.pl > seen
diff expected seen && echo 'as found'
