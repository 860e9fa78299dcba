# HTTP clients for Perl: `perl clients.pl SET-UP METHOD=URL …` sends the requests one after another and prints the status
# and the length of each answer, or `error`. `:fixed` at the end of a name is the client without its repeats.
use strict;
use warnings;

sub with_lwp {
    my (%options) = @_;
    require LWP::UserAgent;
    require HTTP::Request;
    my $client = LWP::UserAgent->new(%options);
    return sub {
        my ($method, $url) = @_;
        my $request = HTTP::Request->new($method, $url);
        $request->header('Content-Length' => 0) if $method eq 'POST';
        my $answer = $client->request($request);
        die $answer->status_line if ($answer->header('Client-Warning') // '') eq 'Internal response';
        die $answer->header('X-Died') if $answer->header('X-Died');
        return ($answer->code, length $answer->content);
    };
}

sub with_http_tiny {
    require HTTP::Tiny;
    my $client = HTTP::Tiny->new;
    return sub {
        my ($method, $url) = @_;
        my $answer = $client->request($method, $url);
        die $answer->{content} if $answer->{status} == 599;
        return ($answer->{status}, length $answer->{content});
    };
}

sub with_mojo {
    require Mojo::UserAgent;
    my $client = Mojo::UserAgent->new;
    return sub {
        my ($method, $url) = @_;
        my $sent = $client->start($client->build_tx($method, $url));
        die $sent->error->{message} if $sent->error && !$sent->error->{code};
        return ($sent->res->code, length $sent->res->body);
    };
}

sub with_furl {
    my (@headers) = @_;
    require Furl;
    my $client = Furl->new;
    return sub {
        my ($method, $url) = @_;
        my $answer = $client->request(method => $method, url => $url, headers => [@headers]);
        die $answer->content if ($answer->headers->header('X-Internal-Response') // '');
        return ($answer->code, length $answer->content);
    };
}

my %set_ups = (
    'LWP::UserAgent' => sub { with_lwp() },
    'LWP::UserAgent keep_alive' => sub { with_lwp(keep_alive => 1) },
    'HTTP::Tiny' => \&with_http_tiny,
    'Mojo::UserAgent' => \&with_mojo,
    'Furl' => sub { with_furl() },
    'Furl:fixed' => sub { with_furl(Connection => 'close') },
);

$| = 1;
my ($name, @requests) = @ARGV;
my $send = $set_ups{$name}->();
for my $request (@requests) {
    my ($method, $url) = split /=/, $request, 2;
    my @answer = eval { $send->($method, $url) };
    print @answer ? "@answer\n" : "error\n";
    print STDERR $@ if $@;
}
