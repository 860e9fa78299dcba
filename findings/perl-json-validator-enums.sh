#!/bin/sh
# Debian's libjson-validator-perl 5.14+dfsg-1, on Debian 12; so with 5.15.
# JSON::Validator tells a number from a string for `type`, and in a list or an object of a `const`. For a bare value
# of `enum` and `const` it does not: the text "1" passes where only the number 1 may stand. A test of responses passes
# a service that sends texts.
set -eu
package=libjson-validator-perl=5.14+dfsg-1
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.pl <<'END'
use strict;
use warnings;
use JSON::PP;
use JSON::Validator;

my $json = JSON::PP->new->allow_nonref;
for (
    ['{"type":"integer"}', '"1"'], ['{"const":[1]}', '["1"]'], ['{"enum":[1]}', 'true'],
    ['{"enum":[1,2]}', '"1"'], ['{"enum":["1"]}', '1'], ['{"const":1}', '"1"'],
) {
    my ($schema, $text) = @$_;
    my @errors = JSON::Validator->new->schema($json->decode($schema))->validate($json->decode($text));
    print "$schema $text: ", @errors ? 'refused' : 'accepted', "\n";
}
END
cat > expected <<'END'
{"type":"integer"} "1": refused
{"const":[1]} ["1"]: refused
{"enum":[1]} true: refused
{"enum":[1,2]} "1": accepted
{"enum":["1"]} 1: accepted
{"const":1} "1": accepted
END
/usr/bin/perl find.pl > seen
diff expected seen && echo 'as found'
