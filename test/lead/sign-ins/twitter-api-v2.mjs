import { text } from 'node:stream/consumers';
import { TwitterApi } from 'twitter-api-v2';

const callback = 'http://127.0.0.1:3000/callback';
const client = new TwitterApi({
  clientId: process.env.PIPIT_CLIENT_ID,
  clientSecret: process.env.PIPIT_CLIENT_SECRET,
});
const link = client.generateOAuth2AuthLink(callback, { scope: ['tweet.read', 'users.read'] });
console.log(link.url);
const redirect = new URL((await text(process.stdin)).trim());
const { client: signedIn } = await client.loginWithOAuth2({
  code: redirect.searchParams.get('code'),
  codeVerifier: link.codeVerifier,
  redirectUri: callback,
});
const { data } = await signedIn.v2.me();
console.log(data.username);
