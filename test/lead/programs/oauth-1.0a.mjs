import { createHmac } from 'node:crypto';
import OAuth from 'oauth-1.0a';

const url = 'https://api.twitter.com/2/users/me';
const oauth = new OAuth({
  consumer: { key: process.env.PIPIT_API_KEY, secret: process.env.PIPIT_API_SECRET },
  signature_method: 'HMAC-SHA1',
  hash_function: (text, key) => createHmac('sha1', key).update(text).digest('base64'),
});
const token = { key: process.env.PIPIT_ACCESS_TOKEN, secret: process.env.PIPIT_ACCESS_TOKEN_SECRET };
const signed = oauth.toHeader(oauth.authorize({ url, method: 'GET' }, token));
const { data } = await (await fetch(url, { headers: { ...signed } })).json();
console.log(data.username);
