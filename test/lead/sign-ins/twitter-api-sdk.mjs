import { text } from 'node:stream/consumers';
import { auth, Client } from 'twitter-api-sdk';

const user = new auth.OAuth2User({
  client_id: process.env.PIPIT_CLIENT_ID,
  client_secret: process.env.PIPIT_CLIENT_SECRET,
  callback: 'http://127.0.0.1:3000/callback',
  scopes: ['tweet.read', 'users.read'],
});
console.log(user.generateAuthURL({ state: 'a-state', code_challenge_method: 's256' }));
const redirect = new URL((await text(process.stdin)).trim());
await user.requestAccessToken(redirect.searchParams.get('code'));
const { data } = await new Client(user).users.findMyUser();
console.log(data.username);
