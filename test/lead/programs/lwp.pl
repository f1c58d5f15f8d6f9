use strict;
use warnings;
use JSON::PP;
use LWP::UserAgent;

my $answer = LWP::UserAgent->new->get(
    'https://api.x.com/2/users/by/username/maya',
    Authorization => "Bearer $ENV{PIPIT_BEARER_TOKEN}",
);
die $answer->status_line unless $answer->is_success;
print decode_json($answer->decoded_content)->{data}{username}, "\n";
