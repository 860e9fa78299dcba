#!/bin/sh
# Debian's libhttp-cookies-perl 6.10-1, on Debian 12; so with 6.12.
# The jar of LWP keeps a cookie that `Max-Age=0` ends, and sends the value that the service gave it to remove it, as
# if the logout had not been; with `Expires` it drops it.
set -eu
package=libhttp-cookies-perl=6.10-1
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.pl <<'END'
use strict;
use warnings;
use HTTP::Cookies;
use HTTP::Request;
use HTTP::Response;

sub sent {
    my @received = @_;
    my $jar = HTTP::Cookies->new;
    for (@received) {
        my $answer = HTTP::Response->new(200, 'OK', ['Set-Cookie' => $_]);
        $answer->request(HTTP::Request->new(GET => 'http://mocked.test/login'));
        $jar->extract_cookies($answer);
    }
    my $request = HTTP::Request->new(GET => 'http://mocked.test/');
    $jar->add_cookie_header($request);
    return $request->header('Cookie') // 'nothing';
}

for my $end ('Expires=Wed, 01 Jan 2020 00:00:00 GMT', 'Max-Age=0') {
    print "$end: ", sent('session=1; Path=/', "session=ended; Path=/; $end"), "\n";
}
END
cat > expected <<'END'
Expires=Wed, 01 Jan 2020 00:00:00 GMT: nothing
Max-Age=0: session=ended
END
/usr/bin/perl find.pl > seen
diff expected seen && echo 'as found'
