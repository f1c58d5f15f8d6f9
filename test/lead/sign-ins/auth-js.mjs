import { text } from 'node:stream/consumers';
import { Auth, skipCSRFCheck } from '@auth/core';
import Twitter from '@auth/core/providers/twitter';

const site = 'http://localhost:3000/api/auth';
const cookies = new Map();
const config = {
  basePath: '/api/auth',
  secret: 'a secret of the site',
  trustHost: true,
  skipCSRFCheck,
  providers: [
    Twitter({ clientId: process.env.PIPIT_CLIENT_ID, clientSecret: process.env.PIPIT_CLIENT_SECRET }),
  ],
  events: { signIn: ({ profile }) => console.log(profile.data.username) },
};
/** Does what a site does for a request of a browser. */
const visit = async (url, init) => {
  const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
  const answer = await Auth(new Request(url, { ...init, headers }), config);
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
    cookies.set(name, value);
  }
  return answer.headers.get('location');
};

console.log(await visit(`${site}/signin/twitter`, { method: 'POST', body: new URLSearchParams() }));
await visit((await text(process.stdin)).trim());
