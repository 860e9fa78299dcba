#!/bin/sh
# Debian's libtest-lwp-useragent-perl 0.036-1, on Debian 12.
# A mocked response of Test::LWP::UserAgent is one object for all requests that it answers: after the second request
# the response to the first says that it answers the second, and what a client does to one response is in the next. A
# list of what was asked, taken from the responses, has one URL as often as there are answers.
set -eu
package=libtest-lwp-useragent-perl=0.036-1
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.pl <<'END'
use strict;
use warnings;
use HTTP::Response;
use Test::LWP::UserAgent;

sub show {
    my ($name, $agent) = @_;
    my @answers = map { $agent->get("http://mocked.test/$_") } 1, 2;
    print "$name: ", join(' ', map { $_->request->uri->path } @answers), "\n";
    $answers[0]->content('changed');
    print "$name: ", $agent->get('http://mocked.test/3')->content, "\n";
}

my $agent = Test::LWP::UserAgent->new;
$agent->map_response(qr/mocked/, sub { HTTP::Response->new(200, 'OK', [], 'text') });
show('made for each', $agent);
$agent = Test::LWP::UserAgent->new;
$agent->map_response(qr/mocked/, HTTP::Response->new(200, 'OK', [], 'text'));
show('given once', $agent);
END
cat > expected <<'END'
made for each: /1 /2
made for each: text
given once: /2 /2
given once: changed
END
/usr/bin/perl find.pl > seen
diff expected seen && echo 'as found'
