#!/bin/sh
# Debian's libhttp-headers-actionpack-perl 0.09-2, on Debian 12.
# A type with q=0 in an Accept header is one that the client cannot use (RFC 9110). choose_media_type() chooses it, even
# where there is another type that fits; choose_language() and choose_encoding() heed the zero. A type in capitals fits
# nothing, where a language in capitals does.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root \
  libhttp-headers-actionpack-perl=0.09-2 \
  libhttp-date-perl=6.05-2 \
  libhttp-message-perl=6.44-1 \
  libmodule-runtime-perl=0.016-2 \
  libsub-exporter-perl=0.989-1 \
  libdata-optlist-perl=0.113-1 \
  libparams-util-perl=1.102-2+b1 \
  libsub-install-perl=0.929-1 \
  liburi-perl=5.17-1 \
  libtimedate-perl=2.3300-2 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.pl <<'END'
use strict;
use warnings;
use HTTP::Headers::ActionPack;

my $negotiator = HTTP::Headers::ActionPack->new->get_content_negotiator;
for (
    [type => ['application/json', 'text/html'], 'text/html, application/json;q=0.5'],
    [type => ['application/json'], 'text/html, application/json;q=0'],
    [type => ['application/json', 'application/xml'], 'application/*;q=0.5, application/json;q=0'],
    [type => ['application/json'], 'Application/JSON'],
    [language => ['de'], 'en, de;q=0'],
    [language => ['de'], 'DE'],
    [encoding => ['gzip'], 'br, gzip;q=0'],
) {
    my ($what, $provided, $header) = @$_;
    my $choose = $what eq 'type' ? 'choose_media_type' : "choose_$what";
    my $chosen = $negotiator->$choose($provided, $header);
    print "$what of @$provided for $header: ", $chosen // 'none', "\n";
}
END
cat > expected <<'END'
type of application/json text/html for text/html, application/json;q=0.5: text/html
type of application/json for text/html, application/json;q=0: application/json
type of application/json application/xml for application/*;q=0.5, application/json;q=0: application/json
type of application/json for Application/JSON: none
language of de for en, de;q=0: none
language of de for DE: de
encoding of gzip for br, gzip;q=0: none
END
PERL5LIB=usr/share/perl5:usr/lib/x86_64-linux-gnu/perl5/5.36 /usr/bin/perl find.pl > seen
diff expected seen && echo 'as found'
