# Uses v1.1 with Debian's unmodified Net::Twitter; prints the results as JSON.
# Standard input: a JSON object with the server's port, credentials and the id of a post of bob.
use strict;
use warnings;
use JSON::PP;
use Net::Twitter;

my $world = decode_json(do { local $/; <STDIN> });
my $client = Net::Twitter->new(
    traits              => [qw/API::RESTv1_1/],
    ssl                 => 0,
    apiurl              => "http://127.0.0.1:$world->{port}/1.1",
    consumer_key        => $world->{apiKey},
    consumer_secret     => $world->{apiSecret},
    access_token        => $world->{accessToken},
    access_token_secret => $world->{accessSecret},
);

my $created = $client->update("Perl: 100% & more, or caf\x{e9}?");
my $reply = $client->update({ status => '@bob Yes', in_reply_to_status_id => $world->{post} });
eval { $client->update('@bob Yes') };
my $repeated = $@->code . ' ' . $@->twitter_error_code;
my $liked = $client->create_favorite({ id => $world->{post} });
my $outcome = {
    created   => [ $created->{text}, $created->{user}{screen_name} ],
    reply     => $reply->{in_reply_to_status_id_str},
    repeated  => $repeated,
    liked     => $liked->{favorited} ? 1 : 0,
    unliked   => $client->destroy_favorite({ id => $world->{post} })->{favorited} ? 1 : 0,
    status    => $client->show_status($world->{post})->{id_str},
    home      => scalar @{ $client->home_timeline({ count => 3 }) },
    timeline  => $client->user_timeline({ screen_name => 'bob', count => 1 })->[0]{user}{screen_name},
    user      => $client->show_user({ screen_name => 'bob' })->{name},
    users     => [ map { $_->{screen_name} } @{ $client->lookup_users({ screen_name => ['bob'] }) } ],
    followers => $client->followers_ids({ screen_name => 'alice', stringify_ids => 'true' })->{ids},
    friends   => $client->friends_ids({ screen_name => 'alice', cursor => -1 })->{next_cursor},
    unfollow  => $client->unfollow({ screen_name => 'bob' })->{following} ? 1 : 0,
    follow    => $client->follow({ screen_name => 'bob' })->{following} ? 1 : 0,
    search    => ref $client->search('pond')->{statuses},
    destroyed => $client->destroy_status($created->{id_str})->{id_str} eq $created->{id_str} ? 1 : 0,
};
print encode_json($outcome);
