import { text } from 'node:stream/consumers';
import { Strategy } from 'passport-twitter';

const strategy = new Strategy(
  {
    consumerKey: process.env.PIPIT_API_KEY,
    consumerSecret: process.env.PIPIT_API_SECRET,
    callbackURL: 'http://127.0.0.1:3000/callback',
  },
  (_token, _secret, profile, done) => done(null, profile),
);
const session = {};
/** Does what passport does for a request of a browser. */
const answer = (query) =>
  new Promise((resolve, reject) => {
    const acting = Object.create(strategy);
    Object.assign(acting, { redirect: resolve, success: resolve, fail: reject, error: reject });
    acting.authenticate({ query, session }, {});
  });

console.log(await answer({}));
const redirect = (await text(process.stdin)).trim();
const { username } = await answer(Object.fromEntries(new URL(redirect).searchParams));
console.log(username);
