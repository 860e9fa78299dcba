#!/bin/sh
# Debian's ruby-http 4.4.1-5, ruby-httparty 0.21.0-1, ruby-httpclient 2.8.3+git20211122.4658227-1, ruby-excon 0.88.0-1
# and ruby-rest-client 2.1.0-3, on Debian 12.
# A 303 after a POST asks for a GET. Three of the clients send that GET with the body of the POST; and two leave out
# the cookie that came with the 303, by which a login says who is there. Only RestClient sends what a browser does.
set -eu
for package in ruby-http=4.4.1-5 ruby-httparty=0.21.0-1 ruby-httpclient=2.8.3+git20211122.4658227-1 \
  ruby-excon=0.88.0-1 ruby-rest-client=2.1.0-3; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.rb <<'END'
require 'excon'
require 'http'
require 'httparty'
require 'httpclient'
require 'rest-client'
require 'socket'

server = TCPServer.new('127.0.0.1', 0)
service = "http://127.0.0.1:#{server.addr[1]}"
Thread.new do
  loop do
    socket = server.accept
    method, path = socket.gets.split
    length = 0
    cookie = 'no cookie'
    while (line = socket.gets.chomp) != ''
      length = line[/\d+/].to_i if line.downcase.start_with?('content-length')
      cookie = line[8..] if line.downcase.start_with?('cookie: ')
    end
    body = "#{method}, #{cookie}, body #{socket.read(length).inspect}"
    head = path == '/login' ? "303 See Other\r\nLocation: /tasks\r\nSet-Cookie: session=1; Path=/" : '200 OK'
    socket.write("HTTP/1.1 #{head}\r\nContent-Length: #{body.size}\r\nConnection: close\r\n\r\n#{body}")
    socket.close
  end
end

url = "#{service}/login"
follow = Excon.defaults[:middlewares] + [Excon::Middleware::RedirectFollower]
restclient = begin
  RestClient.post(url, 'name=one')
rescue RestClient::SeeOther => e
  e.response.follow_get_redirection
end
puts "RestClient: #{restclient.body}"
puts "Excon: #{Excon.post(url, body: 'name=one', middlewares: follow).body}"
puts "http.rb: #{HTTP.follow.post(url, body: 'name=one')}"
puts "HTTParty: #{HTTParty.post(url, body: 'name=one').body}"
puts "HTTPClient: #{HTTPClient.new.post(url, body: 'name=one', follow_redirect: true).body}"
END
cat > expected <<'END'
RestClient: GET, session=1, body ""
Excon: GET, no cookie, body ""
http.rb: GET, no cookie, body "name=one"
HTTParty: GET, session=1, body "name=one"
HTTPClient: GET, session=1, body "name=one"
END
ruby -W0 find.rb > seen
diff expected seen && echo 'as found'
