#!/bin/sh
# Debian's r-cran-rjson 0.2.21-1, on Debian 12.
# JSON that is read and written again is other JSON: a list of one number or text loses its brackets, but a list of one
# null keeps them; an empty object is an empty list; an id of 19 digits, which has nothing after the point, is written
# with 15 of them and as a power of ten.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root r-cran-rjson=0.2.21-1 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.R <<'END'
library(rjson, lib.loc = 'usr/lib/R/site-library')
for (text in readLines('documents')) cat(text, 'becomes', toJSON(fromJSON(text)), '\n')
END
cat > documents <<'END'
{"tags":["red","blue"]}
{"tags":["red"]}
{"tags":[null]}
{"tags":[]}
{"limits":{}}
{"ids":[[1],[2,3]]}
{"id":1850000000000000001}
END
cat > expected <<'END'
{"tags":["red","blue"]} becomes {"tags":["red","blue"]} 
{"tags":["red"]} becomes {"tags":"red"} 
{"tags":[null]} becomes {"tags":[null]} 
{"tags":[]} becomes {"tags":[]} 
{"limits":{}} becomes {"limits":[]} 
{"ids":[[1],[2,3]]} becomes {"ids":[1,[2,3]]} 
{"id":1850000000000000001} becomes {"id":1.85e+18} 
END
Rscript find.R > seen
diff expected seen && echo 'as found'
