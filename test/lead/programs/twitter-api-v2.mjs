import { TwitterApi } from 'twitter-api-v2';

const client = new TwitterApi({
  appKey: process.env.PIPIT_API_KEY,
  appSecret: process.env.PIPIT_API_SECRET,
  accessToken: process.env.PIPIT_ACCESS_TOKEN,
  accessSecret: process.env.PIPIT_ACCESS_TOKEN_SECRET,
});
const { data } = await client.v2.me();
await client.v2.tweet('Led from twitter-api-v2');
console.log(data.username);
