require 'json'
require 'open-uri'

answer = URI.open('https://api.x.com/2/users/by/username/maya',
                  'Authorization' => "Bearer #{ENV.fetch('PIPIT_BEARER_TOKEN')}")
puts JSON.parse(answer.read)['data']['username']
