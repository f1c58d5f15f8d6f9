use strict;
use warnings;
use Net::Twitter;

my $client = Net::Twitter->new(
    traits              => ['API::RESTv1_1'],
    consumer_key        => $ENV{PIPIT_API_KEY},
    consumer_secret     => $ENV{PIPIT_API_SECRET},
    access_token        => $ENV{PIPIT_ACCESS_TOKEN},
    access_token_secret => $ENV{PIPIT_ACCESS_TOKEN_SECRET},
);
print $client->verify_credentials->{screen_name}, "\n";
