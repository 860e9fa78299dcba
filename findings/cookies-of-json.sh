#!/bin/sh
# Debian's ruby-http-cookie 1.0.5-1, libmojolicious-perl 9.31+dfsg-1 and libhttp-cookiejar-perl 0.014-1, on Debian 12.
# A cookie whose value is JSON is to come back as it was set, as a browser sends it and as HTTP::CookieJar of Perl
# does. HTTP::CookieJar of Ruby, which RestClient uses, drops the quotes in it; Mojo::UserAgent adds its own and
# escapes them. The service cannot read either.
set -eu
for package in ruby-http-cookie=1.0.5-1 libmojolicious-perl=9.31+dfsg-1 libhttp-cookiejar-perl=0.014-1; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.rb <<'END'
require 'http-cookie'

jar = HTTP::CookieJar.new
jar.parse('view={"done":true}; Path=/', 'http://mocked.test/')
puts "HTTP::CookieJar of Ruby: #{HTTP::Cookie.cookie_value(jar.cookies('http://mocked.test/'))}"
END
cat > find.pl <<'END'
use strict;
use warnings;
use HTTP::CookieJar;
use Mojo::Transaction::HTTP;
use Mojo::UserAgent::CookieJar;

my $set = 'view={"done":true}; Path=/';
my $jar = HTTP::CookieJar->new;
$jar->add('http://mocked.test/', $set);
print 'HTTP::CookieJar of Perl: ', $jar->cookie_header('http://mocked.test/'), "\n";

my $mojo = Mojo::UserAgent::CookieJar->new;
my $exchange = Mojo::Transaction::HTTP->new;
$exchange->req->url->parse('http://mocked.test/');
$exchange->res->headers->set_cookie($set);
$mojo->collect($exchange);
my $next = Mojo::Transaction::HTTP->new;
$next->req->url->parse('http://mocked.test/');
$mojo->prepare($next);
print 'Mojo::UserAgent: ', $next->req->headers->cookie, "\n";
END
cat > expected <<'END'
HTTP::CookieJar of Perl: view={"done":true}
Mojo::UserAgent: view="{\"done\":true}"
HTTP::CookieJar of Ruby: view={done:true}
END
/usr/bin/perl find.pl > seen
ruby -W0 find.rb >> seen
diff expected seen && echo 'as found'
