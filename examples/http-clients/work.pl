# The work with Furl of Perl: creates a task, runs it and polls it to its end. A run that is answered 409 may go on
# already, which the task shows. `fixed` as the first argument: each request has a connection of its own.
use strict;
use warnings;
use Furl;
use HTTP::Date qw(str2time);
use JSON::PP;
use URI::Escape qw(uri_escape_utf8);

my $fixed = (shift // '') eq 'fixed';
my $client = Furl->new(timeout => 20);
my @headers = (
    'Authorization' => "Bearer $ENV{WORK_AGENT_API_KEY}",
    'Content-Type' => 'application/json',
    $fixed ? ('Connection' => 'close') : (),
);

sub seconds {
    my ($header) = @_;
    return 1 unless defined $header;
    return $header if $header =~ /^\d+$/;
    my $left = str2time($header) - time;
    return $left > 0 ? $left + 1 : 1;
}

# The status and the body of an answer, for which a 429 or 503 is repeated, and a GET whose answer is lost; or nothing.
sub answer_to {
    my ($method, $path, $body) = @_;
    for (1 .. 6) {
        my $answer = $client->request(
            method => $method,
            url => "$ENV{WORK_AGENT_BASE_URL}/api/cli/$path",
            headers => [@headers],
            content => $body ? encode_json($body) : '',
        );
        my $json = $answer->headers->header('X-Internal-Response') ? undef : eval { decode_json($answer->content) };
        return if !$json && $method eq 'POST';
        return ($answer->code, $json) if $json && $answer->code != 429 && $answer->code != 503;
        sleep seconds($answer->headers->header('Retry-After')) if $json;
    }
    die "the service is away for too long\n";
}

sub success {
    my ($status, $body) = @_;
    die "no answer\n" unless $status;
    die "$body->{error}: $body->{message}\n" if $status >= 300;
    return $body;
}

# Whether a task has a run that it did not have before.
sub has_begun {
    my ($path, $before) = @_;
    my $now = success(answer_to('GET', $path));
    return $now->{finished} || $now->{task}{status} ne $before;
}

# Requests the run; after a lost answer it looks first whether there is one.
sub start {
    my ($path, $before) = @_;
    my ($status, $body) = answer_to('POST', "$path/run");
    if ($status) {
        return if ($body->{error} // '') eq 'busy' || ($status == 409 && has_begun($path, $before));
        success($status, $body);
        return;
    }
    start($path, $before) unless has_begun($path, $before);
}

my $task = success(answer_to('POST', 'tasks', { text => 'Say hello' }))->{task};
my $path = 'tasks/' . uri_escape_utf8($task->{id});
start($path, $task->{status});
for (1 .. 120) {
    my $now = success(answer_to('GET', $path));
    if ($now->{finished}) {
        print "$now->{task}{status}\n";
        exit 0;
    }
    sleep 1;
}
die "the run takes too long\n";
