#!/bin/sh
# Debian's libhttp-link-perl 0.001-3, on Debian 12.
# By RFC 5988, which it names, a link may have parameters that a reader does not know, in any letter case, and spaces
# around the sign between name and value. parse() gives no link then, without an error: the next page is lost with a
# `crossorigin` or a `Rel`. Of the two relations in `rel="next last"` the second is an `extension`.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root \
  libhttp-link-perl=0.001-3 \
  libmime-ecoencode-perl=0.95-3 \
  libstrictures-perl=2.000006-1 \
  libmodule-runtime-perl=0.016-2 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.pl <<'END'
use strict;
use warnings;
use HTTP::Link;

for my $parameters (
    'rel="next"', 'rel="next"; title="two"', 'Rel="next"', 'rel = "next"', 'rel="next"; crossorigin',
    'rel="next"; color="red"', 'rel="next last"',
) {
    my @links = map { my %link = %$_; join ', ', map { "$_ $link{$_}" } sort keys %link }
        HTTP::Link->parse("</tasks?page=2>; $parameters");
    print "$parameters: ", @links ? "@links" : 'none', "\n";
}
END
cat > expected <<'END'
rel="next": iri /tasks?page=2, relation next
rel="next"; title="two": iri /tasks?page=2, relation next, title two
Rel="next": none
rel = "next": none
rel="next"; crossorigin: none
rel="next"; color="red": none
rel="next last": extension last, iri /tasks?page=2, relation next
END
PERL5LIB=usr/share/perl5 /usr/bin/perl find.pl > seen
diff expected seen && echo 'as found'
