require 'json'
require 'net/http'

uri = URI('https://api.x.com/2/users/by/username/maya')
request = Net::HTTP::Get.new(uri, 'Authorization' => "Bearer #{ENV.fetch('PIPIT_BEARER_TOKEN')}")
answer = Net::HTTP.start(uri.host, uri.port, use_ssl: true) { |http| http.request(request) }
puts JSON.parse(answer.body)['data']['username']
