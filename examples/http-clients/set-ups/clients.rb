# HTTP clients for Ruby: `ruby clients.rb SET-UP METHOD=URL …` sends the requests one after another and prints the status
# and the length of each answer, or `error`. `:fixed` at the end of a name is the client without its repeats.
require 'uri'

def with_net_http
  require 'net/http'
  kept = {}
  lambda do |method, url|
    uri = URI(url)
    kept[uri.host] ||= Net::HTTP.new(uri.host, uri.port).tap(&:start)
    kept[uri.host].start unless kept[uri.host].started?
    request = method == 'POST' ? Net::HTTP::Post.new(uri) : Net::HTTP::Get.new(uri)
    answer = kept[uri.host].request(request)
    [answer.code, answer.body.length]
  end
end

def with_net_http_persistent
  require 'net/http/persistent'
  client = Net::HTTP::Persistent.new(name: 'example')
  lambda do |method, url|
    uri = URI(url)
    answer = client.request(uri, method == 'POST' ? Net::HTTP::Post.new(uri) : Net::HTTP::Get.new(uri))
    [answer.code, answer.body.length]
  end
end

def with_excon(**options)
  require 'excon'
  kept = {}
  lambda do |method, url|
    uri = URI(url)
    kept[uri.host] ||= Excon.new("http://#{uri.host}:#{uri.port}", persistent: true)
    answer = kept[uri.host].request(method: method, path: uri.path, **options)
    [answer.status, answer.body.length]
  end
end

def with_faraday
  require 'faraday'
  client = Faraday.new { |builder| yield builder }
  lambda do |method, url|
    answer = client.run_request(method.downcase.to_sym, url, nil, nil)
    [answer.status, answer.body.length]
  end
end

def with_httparty
  require 'httparty'
  lambda do |method, url|
    answer = HTTParty.send(method.downcase, url)
    [answer.code, answer.body.length]
  end
end

def with_rest_client
  require 'rest-client'
  lambda do |method, url|
    answer = RestClient::Request.execute(method: method.downcase.to_sym, url: url)
    [answer.code, answer.body.length]
  end
end

def with_typhoeus(**options)
  require 'typhoeus'
  lambda do |method, url|
    answer = Typhoeus::Request.new(url, method: method.downcase.to_sym, **options).run
    raise answer.return_message unless answer.return_code == :ok

    [answer.code, answer.body.length]
  end
end

def with_http_rb
  require 'http'
  kept = {}
  lambda do |method, url|
    uri = URI(url)
    client = kept[uri.host] ||= HTTP.persistent("http://#{uri.host}:#{uri.port}")
    answer = client.request(method.downcase.to_sym, url)
    [answer.code, answer.to_s.length]
  end
end

# One attempt in place of the two that the library makes when the connection closes without an answer.
module OneAttempt
  def protect_keep_alive_disconnected
    yield
  end
end

def with_httpclient(*modules)
  require 'httpclient'
  client = HTTPClient.new
  modules.each { |one| client.singleton_class.prepend(one) }
  lambda do |method, url|
    answer = client.request(method, url)
    [answer.status, answer.body.length]
  end
end

SET_UPS = {
  'Net::HTTP' => -> { with_net_http },
  'net-http-persistent' => -> { with_net_http_persistent },
  'excon' => -> { with_excon },
  'excon idempotent: true' => -> { with_excon(idempotent: true) },
  'excon idempotent: true:fixed' => -> { with_excon(idempotent: false) },
  'faraday' => -> { with_faraday { |builder| builder.adapter :net_http } },
  'faraday :retry' => lambda {
    with_faraday do |builder|
      builder.request :retry, retry_statuses: [429, 503]
      builder.adapter :net_http
    end
  },
  'faraday :retry for POST' => lambda {
    with_faraday do |builder|
      builder.request :retry, methods: %i[get post], retry_statuses: [429, 503], exceptions: [Faraday::ConnectionFailed, Faraday::RetriableResponse]
      builder.adapter :net_http
    end
  },
  'faraday :retry for POST:fixed' => lambda {
    with_faraday do |builder|
      builder.request :retry, methods: %i[get post], retry_statuses: [429, 503], exceptions: [Faraday::RetriableResponse]
      builder.adapter :net_http
    end
  },
  'httparty' => -> { with_httparty },
  'rest-client' => -> { with_rest_client },
  'typhoeus' => -> { with_typhoeus },
  'typhoeus:fixed' => -> { with_typhoeus(fresh_connect: true) },
  'http.rb' => -> { with_http_rb },
  'httpclient' => -> { with_httpclient },
  'httpclient:fixed' => -> { with_httpclient(OneAttempt) }
}.freeze

name, *requests = ARGV
$stdout.sync = true
send_one = SET_UPS.fetch(name).call
requests.each do |request|
  method, url = request.split('=', 2)
  puts send_one.call(method, url).join(' ')
rescue StandardError => e
  puts 'error'
  warn e.inspect
end
