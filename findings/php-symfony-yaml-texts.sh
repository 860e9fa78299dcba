#!/bin/sh
# Debian's php-symfony-yaml 5.4.53+dfsg-0+deb12u1, on Debian 12.
# A text that YAML has for a number is written in quotes, as `0x1F` and `1e3` are. `0o17`, `.inf` and `.NaN` are written
# without them, so that the ids come back as 15 and as floats, here and in other readers; and `.NaN` is read as
# infinity. The number `+5` is read as a float, `-0` as a text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root php-symfony-yaml=5.4.53+dfsg-0+deb12u1 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.php <<'END'
<?php
spl_autoload_register(fn ($name) => require 'usr/share/php/' . str_replace('\\', '/', $name) . '.php');
use Symfony\Component\Yaml\Yaml;

foreach (['0x1F', '1e3', 'null', '10:30', '0o17', '.inf', '.NaN'] as $text) {
    $yaml = Yaml::dump(['id' => $text]);
    echo "the text $text is written ", trim($yaml), ', read as ', gettype($id = Yaml::parse($yaml)['id']), ' ', $id, "\n";
}
foreach (['5', '+5', '-5', '0', '-0'] as $number) echo "the number $number is read as ", gettype($id = Yaml::parse("id: $number")['id']), ' ', $id, "\n";
END
cat > expected <<'END'
the text 0x1F is written id: '0x1F', read as string 0x1F
the text 1e3 is written id: '1e3', read as string 1e3
the text null is written id: 'null', read as string null
the text 10:30 is written id: '10:30', read as string 10:30
the text 0o17 is written id: 0o17, read as integer 15
the text .inf is written id: .inf, read as double INF
the text .NaN is written id: .NaN, read as double INF
the number 5 is read as integer 5
the number +5 is read as double 5
the number -5 is read as integer -5
the number 0 is read as integer 0
the number -0 is read as string -0
END
php find.php > seen
diff expected seen && echo 'as found'
