import Twitter from 'twitter-lite';

const client = new Twitter({
  version: '2',
  extension: false,
  consumer_key: process.env.PIPIT_API_KEY,
  consumer_secret: process.env.PIPIT_API_SECRET,
  access_token_key: process.env.PIPIT_ACCESS_TOKEN,
  access_token_secret: process.env.PIPIT_ACCESS_TOKEN_SECRET,
});
const { data } = await client.get('users/me');
console.log(data.username);
