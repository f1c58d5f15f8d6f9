import { expect, test, vi } from 'vitest';
import type { ServeFlags } from '../../src/server/config.js';
import { signHeader, type Signing } from '../auth/support/sign.js';
import { startTestApp } from '../support/app.js';
import type { LooseJson } from '../support/loose-json.js';
import { APP, POSTS, USERS } from '../support/world.js';

/** Starts a listening server and collects its request log. */
async function startLogged(flags: ServeFlags = {}) {
  const lines: LooseJson[] = [];
  const app = await startTestApp({ flags, requestLog: (line) => void lines.push(line) });
  const url = await app.listen();
  return {
    app,
    url,
    lines,
    /** Waits for the given number of lines: a line is written after its response is sent. */
    logged: (count: number) => vi.waitFor(() => expect(lines).toHaveLength(count)),
    send: async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(url + path, { redirect: 'manual', ...init });
      await answer.text();
      return answer.status;
    },
    [Symbol.asyncDispose]: () => app.close(),
  };
}

function form(fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', body: new URLSearchParams(fields), headers };
}

const BASIC = `Basic ${Buffer.from(`${APP.client_id}:${APP.client_secret}`).toString('base64')}`;

test('refused requests are logged with the reason; others only with the log of all requests', async () => {
  await using server = await startLogged();
  const headers = { authorization: `Bearer ${server.app.bearer}` };
  await server.send(`/2/users/${USERS.alice}`, { headers });
  await server.send('/2/users/0x', { headers });
  await server.send('/2/users/me', { headers });
  await server.send('/2/users/me');
  await server.send('/2/nothing');
  await server.logged(4);
  expect(server.lines).toMatchObject([
    {
      method: 'GET',
      path: '/2/users/0x',
      operation: 'findUserById',
      status: 400,
      reason: 'invalid-request',
      detail: 'id',
    },
    { path: '/2/users/me', status: 403, appId: APP.id, reason: 'unsupported-authentication' },
    { path: '/2/users/me', status: 401, reason: 'unauthorized' },
    { path: '/2/nothing', operation: 'unrouted', status: 404, reason: 'route-not-found' },
  ]);

  await using all = await startLogged({ requestLog: 'all' });
  const alice = await all.app.as('alice');
  await all.send('/2/users/me?user.fields=created_at', { headers: { authorization: `Bearer ${alice}` } });
  await all.logged(1);
  expect(all.lines).toMatchObject([
    {
      query: 'user.fields=created_at',
      status: 200,
      appId: APP.id,
      userId: USERS.alice,
      ms: expect.any(Number),
    },
  ]);
  expect(all.lines[0]).not.toHaveProperty('reason');

  await using off = await startLogged({ requestLog: 'off' });
  await off.send('/2/nothing');
  expect(off.lines).toEqual([]);
});

test('a refused OAuth 1.0a request is logged with the invalid part and the base string', async () => {
  await using server = await startLogged();
  const { accessToken, accessSecret } = await server.app.oauth1('alice');
  let nonces = 0;
  // A nonce may be reused with another timestamp.
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const send = (changes: Partial<Signing>, path = '/2/users/me?user.fields=name') => {
    const signing: Signing = {
      method: 'GET',
      url: server.url + path,
      consumerKey: APP.api_key,
      consumerSecret: APP.api_secret,
      token: accessToken,
      tokenSecret: accessSecret,
      timestampSeconds,
      nonce: `nonce${(nonces += 1)}`,
      ...changes,
    };
    return server.send(path, { headers: { authorization: signHeader(signing) } });
  };
  expect(await send({ nonce: 'same' })).toBe(200);
  await send({ nonce: 'same' });
  await send({ consumerKey: 'unknown' });
  await send({ token: '1001-unknown' });
  await send({ timestampSeconds: 1_000_000_000 });
  await send({ tokenSecret: 'wrong' });
  await send({ consumerSecret: 'wrong' }, '/2/users/me?user.fields=name&password=opensesame');
  await server.logged(6);
  expect(server.lines.map(({ reason }) => reason)).toEqual([
    'oauth1-nonce',
    'oauth1-consumer',
    'oauth1-token',
    'oauth1-timestamp',
    'oauth1-signature',
    'oauth1-signature',
  ]);
  const base = server.lines.map(({ baseString = '' }) => decodeURIComponent(baseString));
  expect(base.slice(0, 4)).toEqual(['', '', '', '']);
  expect(base[4]).toMatch(
    /^GET&http:\/\/[^&]+\/2\/users\/me&oauth_consumer_key=testapikey&oauth_nonce=nonce\d&/,
  );
  expect(base[4]).toContain(`&oauth_token=${accessToken.slice(0, 8)}HIDDEN&user.fields=name`);
  const text = JSON.stringify(server.lines);
  for (const secret of [accessToken, accessSecret, APP.api_secret, 'opensesame', 'oauth_signature='])
    expect(text).not.toContain(secret);
});

test('no line contains a secret or user content at any log level', async () => {
  await using server = await startLogged({ requestLog: 'all', logLevel: 'debug' });
  const alice = { authorization: `Bearer ${await server.app.as('alice')}` };
  const json = { ...alice, 'content-type': 'application/json' };
  const post = (body: object) => ({ method: 'POST', headers: json, body: JSON.stringify(body) });
  const secret = 'S3CRETS3CRET';
  await server.send('/2/tweets', post({ text: 'private words' }));
  await server.send('/2/tweets', post({ text: 'private words' }));
  await server.send('/2/tweets', post({ text: 'private words', unknown: 1 }));
  await server.send(`/2/tweets/${POSTS.hello}?access_token=${secret}`, { headers: alice });
  await server.send('/2/users/me', {
    headers: { authorization: `Bearer ${secret}`, cookie: `session=${secret}` },
  });
  await server.send(`/reset-password?token=${secret}`);
  await server.send(`/i/oauth2/authorize?client_id=x&state=${secret}&code_challenge=${secret}`);
  await server.send(`/oauth/authorize?oauth_token=${secret}`);
  await server.send(`/${secret.repeat(4)}`);
  await server.send('/sign-in', form({ username: 'alice', password: secret }));
  const grant = {
    grant_type: 'authorization_code',
    code: secret,
    code_verifier: secret,
    redirect_uri: 'https://x.example',
  };
  await server.send('/2/oauth2/token', form(grant, { authorization: BASIC }));
  await server.send(
    '/2/oauth2/token',
    form({ grant_type: 'refresh_token', refresh_token: secret }, { authorization: BASIC }),
  );
  await server.send('/oauth2/invalidate_token', form({ access_token: secret }, { authorization: BASIC }));
  const url = `${server.url}/oauth/access_token`;
  const body = `oauth_verifier=${secret}&x_auth_password=${secret}`;
  const signing: Signing = {
    method: 'POST',
    url,
    form: body,
    consumerKey: APP.api_key,
    consumerSecret: secret,
    timestampSeconds: Math.floor(Date.now() / 1000),
    nonce: 'n',
  };
  const type = 'application/x-www-form-urlencoded';
  const headers = { authorization: signHeader(signing), 'content-type': type };
  await server.send('/oauth/request_token', { method: 'POST', body, headers });
  await server.send('/oauth/access_token', { method: 'POST', body, headers });

  await server.logged(15);
  const text = JSON.stringify(server.lines);
  for (const hidden of [secret, 'private words', alice.authorization.slice(7)])
    expect(text).not.toContain(hidden);
  expect(server.lines.map(({ reason }) => reason)).toContain('oauth1-signature');
  expect(server.lines).toContainEqual(
    expect.objectContaining({ path: '/2/oauth2/token', status: 400, reason: 'invalid_request' }),
  );
});
