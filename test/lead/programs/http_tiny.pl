use strict;
use warnings;
use HTTP::Tiny;
use JSON::PP;

my $answer = HTTP::Tiny->new(verify_SSL => 1)->get(
    'https://api.x.com/2/users/by/username/maya',
    { headers => { Authorization => "Bearer $ENV{PIPIT_BEARER_TOKEN}" } },
);
die "$answer->{status} $answer->{content}" unless $answer->{success};
print decode_json($answer->{content})->{data}{username}, "\n";
