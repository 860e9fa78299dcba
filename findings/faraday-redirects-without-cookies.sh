#!/bin/sh
# Debian's ruby-faraday-middleware 1.2.0-4 with ruby-faraday 1.1.0-7, on Debian 12.
# FollowRedirects documents an option `cookies` that is to keep all cookies over a redirect, or those named. It is
# taken and does nothing: the session of a login is not sent to the page that the login leads to.
set -eu
for package in ruby-faraday-middleware=1.2.0-4 ruby-faraday=1.1.0-7; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.rb <<'END'
require 'faraday'
require 'faraday_middleware'
require 'socket'

server = TCPServer.new('127.0.0.1', 0)
Thread.new do
  loop do
    socket = server.accept
    path = socket.gets.split[1]
    cookie = 'no cookie'
    while (line = socket.gets.chomp) != ''
      cookie = line if line.downcase.start_with?('cookie')
    end
    head = path == '/login' ? "302 Found\r\nLocation: /tasks\r\nSet-Cookie: session=1; Path=/" : '200 OK'
    body = "#{path}, #{cookie}"
    socket.write("HTTP/1.1 #{head}\r\nContent-Length: #{body.size}\r\nConnection: close\r\n\r\n#{body}")
    socket.close
  end
end

[{}, { cookies: :all }, { cookies: ['session'] }].each do |options|
  client = Faraday.new("http://127.0.0.1:#{server.addr[1]}") do |connection|
    connection.response :follow_redirects, **options
    connection.adapter :net_http
  end
  puts "#{options}: #{client.get('/login').body}"
end
END
cat > expected <<'END'
{}: /tasks, no cookie
{:cookies=>:all}: /tasks, no cookie
{:cookies=>["session"]}: /tasks, no cookie
END
ruby -W0 find.rb > seen
diff expected seen && echo 'as found'
