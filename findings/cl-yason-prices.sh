#!/bin/sh
# Debian's cl-yason 0.7.6-1.1, with sbcl, on Debian 12.
# JSON that is read and written again has other prices: a number with a point is read with the precision of 24 bits, so
# that 19.99 is written 19.989999771118164, though Lisp has wider numbers and whole ones keep all digits. false and an
# empty list are both written as null.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root cl-yason=0.7.6-1.1 cl-alexandria cl-trivial-gray-streams > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

command -v sbcl > log || { echo 'needs sbcl' >&2; exit 2; }
cat > find.lisp <<'END'
(require :asdf)
(let ((*standard-output* (make-broadcast-stream)))
  (asdf:initialize-source-registry (list :source-registry (list :tree (truename "usr/share/common-lisp/source/")) :ignore-inherited-configuration))
  (asdf:load-system :yason))
(with-open-file (documents "documents")
  (loop for line = (read-line documents nil)
        while line
        do (format t "~a becomes " line)
           (funcall (intern "ENCODE" :yason) (funcall (intern "PARSE" :yason) line))
           (terpri)))
END
cat > documents <<'END'
{"id":12345678901234567890}
{"price":0.5}
{"price":19.99}
{"balance":123456789.25}
{"done":true}
{"done":false}
{"tags":[]}
{"limits":{}}
END
cat > expected <<'END'
{"id":12345678901234567890} becomes {"id":12345678901234567890}
{"price":0.5} becomes {"price":0.5}
{"price":19.99} becomes {"price":19.989999771118164}
{"balance":123456789.25} becomes {"balance":123456784.0}
{"done":true} becomes {"done":true}
{"done":false} becomes {"done":null}
{"tags":[]} becomes {"tags":null}
{"limits":{}} becomes {"limits":{}}
END
XDG_CACHE_HOME="$folder/cache" sbcl --script find.lisp > seen 2> errors || cat errors
diff expected seen && echo 'as found'
