#!/bin/sh
# Debian's ruby-excon 0.88.0-1, on Debian 12.
# `idempotent: true` repeats what can succeed the second time, such as lost connections and 503. With `expects` it
# repeats each other status too: a POST that the service refuses with 400, 401 or 409 is sent four times at once, and a
# 429 without its pause. Without `expects` neither it nor a 503 is repeated.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root ruby-excon=0.88.0-1 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.rb <<'END'
require 'excon'
require 'socket'

received = 0
server = TCPServer.new('127.0.0.1', 0)
Thread.new do
  loop do
    socket = server.accept
    status = socket.gets[%r{/(\d+)}, 1]
    nil while socket.gets != "\r\n"
    received += 1
    socket.write("HTTP/1.1 #{status} Status\r\nRetry-After: 60\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    socket.close
  end
end

[400, 401, 409, 429, 503].each do |status|
  counts = [{}, { expects: 201 }].map do |options|
    received = 0
    begin
      Excon.post("http://127.0.0.1:#{server.addr[1]}/#{status}", idempotent: true, **options)
    rescue Excon::Error::HTTPStatus
      # as expected
    end
    received
  end
  puts "#{status}: requests #{counts[0]}, with expects #{counts[1]}"
end
END
cat > expected <<'END'
400: requests 1, with expects 4
401: requests 1, with expects 4
409: requests 1, with expects 4
429: requests 1, with expects 4
503: requests 1, with expects 4
END
/usr/bin/ruby -W0 -I "$(dirname "$(find usr -name excon.rb)")" find.rb > seen
diff expected seen && echo 'as found'
