import { text } from 'node:stream/consumers';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';

const site = 'http://localhost:3000/api/auth';
const cookies = new Map();
const auth = betterAuth({
  baseURL: 'http://localhost:3000',
  secret: 'a secret of the site, long enough for it',
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  socialProviders: {
    twitter: {
      clientId: process.env.PIPIT_CLIENT_ID,
      clientSecret: process.env.PIPIT_CLIENT_SECRET,
      mapProfileToUser: ({ data }) => ({ name: data.username, email: `${data.username}@people.example` }),
    },
  },
});
/** Does what a site does for a request of a browser. */
const visit = async (url, body) => {
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { cookie, origin: 'http://localhost:3000' };
  if (body) headers['content-type'] = 'application/json';
  const init = { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) };
  const answer = await auth.handler(new Request(url, init));
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
    cookies.set(name, value);
  }
  return answer;
};

const begun = await visit(`${site}/sign-in/social`, { provider: 'twitter', callbackURL: '/home' });
console.log((await begun.json()).url);
const redirect = new URL((await text(process.stdin)).trim());
await visit(redirect);
const session = await (await visit(`${site}/get-session`)).json();
console.log(session.user.name);
