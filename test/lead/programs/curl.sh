curl --silent --show-error --fail --header "Authorization: Bearer $PIPIT_BEARER_TOKEN" \
  https://api.x.com/2/users/by/username/maya | sed 's/.*"username":"\([a-z]*\)".*/\1/'
