#!/bin/sh
# Debian's libtoml-perl 0.97-2 with libtoml-tiny-perl 0.15-1, on Debian 12.
# TOML that the module TOML has read and writes again is other TOML: true becomes the text `true`, a quoted name loses
# its quotes, so that the result cannot be read, a dotted name is one name with a dot, and a list of tables cannot be
# written. TOML::Tiny does all of these.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root libtoml-perl=0.97-2 libtoml-parser-perl \
  libtypes-serialiser-perl libcommon-sense-perl libtoml-tiny-perl=0.15-1 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.pl <<'END'
use strict;
use warnings;
use TOML ();
use TOML::Tiny ();

my @modules = (['TOML', \&TOML::from_toml, \&TOML::to_toml], ['TOML::Tiny', \&TOML::Tiny::from_toml, \&TOML::Tiny::to_toml]);
my $one_line = sub { join ' ', grep { length } split /\s*\n\s*/, $_[0] };
for my $text ("done = true", '"x id" = 1', "task.id = 1", "[[tasks]]\nid = 1") {
    print $one_line->($text), "\n";
    for my $module (@modules) {
        my ($name, $read, $write) = @$module;
        my $written = eval { $write->(scalar $read->($text)) };
        print "  $name: ", defined $written ? $one_line->($written) : 'cannot be written';
        print ', which cannot be read' if defined $written && !eval { ref TOML::Tiny::from_toml($written) };
        print "\n";
    }
}
END
cat > expected <<'END'
done = true
  TOML: done = "true"
  TOML::Tiny: done=true
"x id" = 1
  TOML: x id = 1, which cannot be read
  TOML::Tiny: "x id"=1
task.id = 1
  TOML: task.id = 1
  TOML::Tiny: [task] id=1
[[tasks]] id = 1
  TOML: cannot be written
  TOML::Tiny: [[tasks]] id=1
END
/usr/bin/perl -Iusr/share/perl5 "-I$(dirname "$(dirname "$(find usr/lib -path '*common/sense.pm')")")" find.pl > seen
diff expected seen && echo 'as found'
