# The work with httpclient of Ruby: creates a task, runs it and polls it to its end. A run that is answered 409 may
# go on already, which the task shows. `fixed` as the first argument: the client sends each request once.
require 'erb'
require 'httpclient'
require 'json'
require 'time'

# One attempt in place of the two that the library makes when the connection closes without an answer.
module OneAttempt
  def protect_keep_alive_disconnected
    yield
  end
end

BASE = "#{ENV.fetch('WORK_AGENT_BASE_URL')}/api/cli/"
HEADERS = { 'Authorization' => "Bearer #{ENV.fetch('WORK_AGENT_API_KEY')}", 'Content-Type' => 'application/json' }.freeze
FIXED = ARGV.first == 'fixed'
CLIENT = HTTPClient.new.tap { |client| client.receive_timeout = 20 }
CLIENT.singleton_class.prepend(OneAttempt) if FIXED

def seconds(header)
  Integer(header || 1)
rescue ArgumentError
  [Time.httpdate(header) - Time.now, 0].max.ceil + 1
end

# The answer to a request, which is sent again after a 429 or 503, and a GET also after a lost answer.
def answer_to(method, path, body = nil)
  6.times do |attempt|
    answer = CLIENT.request(method, BASE + path, nil, body && JSON.generate(body), HEADERS)
    return [answer.status, JSON.parse(answer.body)] unless [429, 503].include?(answer.status)

    sleep seconds(answer.header['Retry-After'].first)
  rescue HTTPClient::KeepAliveDisconnected, HTTPClient::TimeoutError, SystemCallError, JSON::ParserError
    raise if method == 'POST' || attempt == 5
  end
  abort 'the service is away for too long'
end

def success(answer)
  status, body = answer
  status < 300 ? body : abort("#{body['error']}: #{body['message']}")
end

# Whether a task has a run that it did not have before.
def begun?(path, before)
  now = success(answer_to('GET', path))
  now['finished'] || now['task']['status'] != before
end

# Requests the run; after a lost answer it looks first whether there is one.
def start(path, before)
  status, body = answer_to('POST', "#{path}/run")
  return if body['error'] == 'busy' || (status == 409 && begun?(path, before))

  success([status, body])
rescue StandardError
  start(path, before) unless begun?(path, before)
end

task = success(answer_to('POST', 'tasks', { text: 'Say hello' }))['task']
path = "tasks/#{ERB::Util.url_encode(task['id'])}"
start(path, task['status'])
120.times do
  now = success(answer_to('GET', path))
  if now['finished']
    puts now['task']['status']
    exit
  end
  sleep 1
end
abort 'the run takes too long'
