#!/bin/sh
# Debian's ruby-typhoeus 1.4.0-3, on Debian 12.
# With a cache, set up as on its page, Typhoeus does not send a POST a second time: the second task is not made, and
# the answer is that to the first. A 503 is kept too, so that a repeat gets it again, and so is what a DELETE has
# ended.
set -eu
package=ruby-typhoeus=1.4.0-3
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.rb <<'END'
require 'socket'
require 'typhoeus'

received = []
server = TCPServer.new('127.0.0.1', 0)
Thread.new do
  loop do
    socket = server.accept
    method, path = socket.gets.split
    length = 0
    while (line = socket.gets.chomp) != ''
      length = line[/\d+/].to_i if line.downcase.start_with?('content-length')
    end
    socket.read(length)
    received << "#{method} #{path}"
    body = "answer #{received.size}"
    status = path == '/busy' ? '503 Busy' : '200 OK'
    socket.write("HTTP/1.1 #{status}\r\nContent-Length: #{body.size}\r\nConnection: close\r\n\r\n#{body}")
    socket.close
  end
end

class Cache
  def initialize
    @memory = {}
  end

  def get(request)
    @memory[request]
  end

  def set(request, response)
    @memory[request] = response
  end
end
Typhoeus::Config.cache = Cache.new

service = "http://127.0.0.1:#{server.addr[1]}"
2.times { puts "GET /busy: #{Typhoeus.get("#{service}/busy").body}" }
2.times { puts "POST /tasks: #{Typhoeus.post("#{service}/tasks", body: 'one').body}" }
puts "GET /tasks/1: #{Typhoeus.get("#{service}/tasks/1").body}"
puts "DELETE /tasks/1: #{Typhoeus.delete("#{service}/tasks/1").body}"
puts "GET /tasks/1: #{Typhoeus.get("#{service}/tasks/1").body}"
puts received
END
cat > expected <<'END'
GET /busy: answer 1
GET /busy: answer 1
POST /tasks: answer 2
POST /tasks: answer 2
GET /tasks/1: answer 3
DELETE /tasks/1: answer 4
GET /tasks/1: answer 3
GET /busy
POST /tasks
GET /tasks/1
DELETE /tasks/1
END
ruby -W0 find.rb > seen
diff expected seen && echo 'as found'
