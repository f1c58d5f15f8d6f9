import { hash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AppId, UserId } from '../../src/core/ids.js';
import { hashToken } from '../../src/services/secrets/secrets.js';
import { type AuthorizationCode, insertAuthorizationCode } from '../../src/stores/authorization-codes.js';
import { signHeader, type Signing } from '../auth/support/sign.js';
import { APP, USERS } from '../support/world.js';
import { startRecorded } from './support/recorded-server.js';

/** Why credentials were refused (docs/inspector.md#why-a-request-was-refused). */

let server: Awaited<ReturnType<typeof startRecorded>>;
let signing: Signing;
beforeAll(async () => {
  server = await startRecorded();
  const { accessToken, accessSecret } = await server.app.oauth1('alice');
  signing = {
    method: 'GET',
    url: `${server.url}/2/users/me?user.fields=id,name`,
    consumerKey: APP.api_key,
    consumerSecret: APP.api_secret,
    token: accessToken,
    tokenSecret: accessSecret,
    timestampSeconds: 0,
    nonce: '',
  };
});
afterEach(() => server.journal.clear());
afterAll(() => server[Symbol.asyncDispose]());

/** Sends a request that is refused and resolves to the explanation in the journal, which may come after the answer. */
async function explained(path: string, init: RequestInit) {
  const answer = await fetch(server.url + path, init);
  await answer.text();
  expect(answer.status).toBeGreaterThanOrEqual(400);
  const find = () => server.journal.find()[0];
  const entry = await new Promise<ReturnType<typeof find>>((resolve) => {
    const stop = server.journal.subscribe({ onEntry: () => check() });
    const check = (): void => {
      if (find()?.refusal?.explanation === undefined) return;
      stop();
      resolve(find());
    };
    check();
  });
  return { ...entry?.refusal?.explanation, namedAppId: entry?.namedAppId };
}

describe('a request signed with OAuth 1.0a', () => {
  /** Sends the request whose signature has these changes. */
  const send = (changes: Partial<Signing>) => {
    const now = { timestampSeconds: Math.floor(Date.now() / 1000), nonce: randomBytes(8).toString('hex') };
    const { pathname, search } = new URL(signing.url);
    const authorization = signHeader({ ...signing, ...now, ...changes });
    return explained(pathname + search, { headers: { authorization } });
  };

  test('shows the base string that the client signed beside that of the server', async () => {
    const url = signing.url.replace(server.url, 'https://api.x.com');
    const { step, summary, compared } = await send({ url });
    expect({ step, summary }).toEqual({
      step: 'signature',
      summary: 'The client signed the address https://api.x.com instead of http://pipit.test.',
    });
    expect(compared?.[0]?.client).toContain('GET&https%3A%2F%2Fapi.x.com%2F2%2Fusers%2Fme&');
    expect(compared?.[0]?.server).toContain('GET&http%3A%2F%2Fpipit.test%2F2%2Fusers%2Fme&');
    expect(JSON.stringify(compared)).not.toContain(signing.token);
  });

  test.each<[string, () => Partial<Signing>, RegExp]>([
    ['a missing parameter', () => ({ url: signing.url.replace(/\?.*/, '') }), /left out the query/],
    ['swapped secrets', swapped, /swapped the consumer secret and the token secret/],
    [
      'an old timestamp',
      () => ({ timestampSeconds: 1_600_000_000 }),
      /timestamp is \d+ days behind the clock/,
    ],
    ['milliseconds', () => ({ timestampSeconds: Date.now() }), /in milliseconds/],
    ['the client ID as the key', () => ({ consumerKey: APP.client_id }), /is the client ID of the app/],
    ['an unknown key', () => ({ consumerKey: 'other' }), /No app of this server has/],
    ['an unknown token', () => ({ token: '1-x' }), /never issued the oauth_token/],
    ['no token', () => ({ token: undefined }), /has no oauth_token/],
  ])('the explanation names %s', async (_, changes, words) => {
    expect((await send(changes())).summary).toMatch(words);
  });

  function swapped(): Partial<Signing> {
    return { consumerSecret: signing.tokenSecret ?? '', tokenSecret: signing.consumerSecret };
  }
});

describe('a bearer token', () => {
  const me = (token: string) => explained('/2/users/me', { headers: { authorization: `Bearer ${token}` } });
  const issued = () => server.app.as('alice');

  test('that was revoked is told from one that never existed, and names its app', async () => {
    const token = await issued();
    await server.app.pipit.backend.tokens.revoke(token);
    expect(await me(token)).toMatchObject({
      step: 'access token',
      summary: expect.stringMatching(/revoked at 20[-\dT:.]+Z, \d+ seconds before this request/),
      namedAppId: APP.id,
    });
    expect(await me('unknown')).toMatchObject({ summary: expect.stringContaining('never issued') });
  });

  test.each<[string, () => Promise<string>, RegExp]>([
    ['an OAuth 1.0a token', async () => signing.token ?? '', /has an OAuth 1\.0a access token where/],
    [
      'a token that was escaped',
      async () => encodeURIComponent(`${await issuedWith('%')}`),
      /percent-encoded/,
    ],
  ])('that is %s is recognized', async (_, token, words) => {
    expect((await me(await token())).summary).toMatch(words);
  });

  /** Stores a bearer token that contains a text. */
  async function issuedWith(text: string): Promise<string> {
    const token = `token${text}2F`;
    await server.app.load({
      tokens: [{ kind: 'oauth2', app: APP.id, user: 'alice', access_token: token, scopes: ['users.read'] }],
    });
    return token;
  }

  test('without a scope shows those that it has and those that are needed', async () => {
    const token = await server.app.as('alice', ['users.read']);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    expect(await explained('/2/tweets', { method: 'POST', headers, body: '{"text":"x"}' })).toMatchObject({
      step: 'scope',
      summary: 'The token lacks the scope tweet.read.',
      compared: [{ what: 'Scopes', client: 'users.read', server: 'tweet.read users.read tweet.write' }],
    });
  });

  test('of the wrong kind is named', async () => {
    expect(await me(APP.bearer_token)).toMatchObject({
      step: 'kind of credentials',
      summary: 'The operation does not take an app’s own bearer token.',
    });
  });
});

describe('the token endpoint of OAuth 2.0', () => {
  const VERIFIER = 'v'.repeat(43);
  const CALLBACK = 'http://127.0.0.1:3000/callback';
  const basic = (secret: string = APP.client_secret) =>
    `Basic ${Buffer.from(`${APP.client_id}:${secret}`).toString('base64')}`;

  /** Stores a code. */
  async function issueCode(changes: Partial<AuthorizationCode> = {}): Promise<string> {
    const code = randomBytes(8).toString('hex');
    await server.app.pipit.backend.engine.tx('issue code', (tx) =>
      insertAuthorizationCode(tx, {
        codeHash: hashToken(code),
        appId: BigInt(APP.id) as AppId,
        userId: BigInt(USERS.alice) as UserId,
        redirectUri: CALLBACK,
        scopes: ['users.read', 'offline.access'],
        codeChallenge: hash('sha256', VERIFIER, 'base64url'),
        challengeMethod: 'S256',
        createdAtMs: Date.now(),
        expiresAtMs: Date.now() + 30_000,
        ...changes,
      }),
    );
    return code;
  }

  const form = (parameters: Record<string, string>, authorization: string | undefined = basic()) => ({
    method: 'POST',
    headers: new Headers(authorization === '' ? {} : { authorization }),
    body: new URLSearchParams(parameters),
  });
  const redeeming = (code: string, changes: Record<string, string> = {}) => ({
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...changes,
  });
  const redeem = (code: string, changes?: Record<string, string>, authorization?: string) =>
    explained('/2/oauth2/token', form(redeeming(code, changes), authorization));

  test('shows both redirect URIs', async () => {
    expect(await redeem(await issueCode(), { redirect_uri: `${CALLBACK}/` })).toMatchObject({
      step: 'redirect URI',
      compared: [{ what: 'Redirect URI', client: `${CALLBACK}/`, server: CALLBACK }],
      namedAppId: APP.id,
    });
  });

  test('shows the challenge beside that of the verifier, never the verifier', async () => {
    const verifier = 'w'.repeat(43);
    const explanation = await redeem(await issueCode(), { code_verifier: verifier });
    expect(explanation).toMatchObject({
      step: 'code verifier',
      compared: [
        {
          client: hash('sha256', verifier, 'base64url'),
          server: hash('sha256', VERIFIER, 'base64url'),
        },
      ],
    });
    expect(JSON.stringify(explanation)).not.toContain(verifier);
  });

  test('tells a challenge that was made or named wrongly', async () => {
    const swapped = await issueCode({ codeChallenge: VERIFIER });
    expect((await redeem(swapped)).summary).toMatch(/sent the code_challenge as the code_verifier/);
    const plain = await issueCode({ challengeMethod: 'plain' });
    expect((await redeem(plain)).summary).toMatch(/did not say code_challenge_method=S256/);
    const hex = await issueCode({ codeChallenge: hash('sha256', VERIFIER, 'hex') });
    expect((await redeem(hex)).summary).toMatch(/in another encoding/);
  });

  test('tells an unknown code from an expired and a used one', async () => {
    expect((await redeem('unknown')).summary).toMatch(/did not issue the code/);
    const expiresAtMs = Date.now() - 120_000;
    const expired = await issueCode({ createdAtMs: expiresAtMs - 30_000, expiresAtMs });
    expect((await redeem(expired)).summary).toMatch(/expired at .*, 2 minutes before .* lived 30 seconds/);
    const code = await issueCode();
    expect((await fetch(`${server.url}/2/oauth2/token`, form(redeeming(code)))).status).toBe(200);
    server.journal.clear();
    expect((await redeem(code)).summary).toMatch(
      /was redeemed at .* All tokens issued for it are now revoked/,
    );
  });

  test('tells a used refresh token from an access token', async () => {
    const granted = await fetch(`${server.url}/2/oauth2/token`, form(redeeming(await issueCode())));
    const tokens = (await granted.json()) as Record<'access_token' | 'refresh_token', string>;
    const refresh = (token: string) => form({ grant_type: 'refresh_token', refresh_token: token });
    expect((await explained('/2/oauth2/token', refresh(tokens.access_token))).summary).toMatch(
      /did not issue the token as a refresh token/,
    );
    await (await fetch(`${server.url}/2/oauth2/token`, refresh(tokens.refresh_token))).text();
    server.journal.clear();
    expect((await explained('/2/oauth2/token', refresh(tokens.refresh_token))).summary).toMatch(
      /was used or revoked at/,
    );
    const asBearer = { headers: { authorization: `Bearer ${tokens.refresh_token}` } };
    expect((await explained('/2/users/me', asBearer)).summary).toMatch(
      /has an OAuth 2\.0 refresh token where/,
    );
  });

  test('names the fault in the client’s own credentials', async () => {
    const summary = async (parameters: Record<string, string>, authorization: string) =>
      (await explained('/2/oauth2/token', form(parameters, authorization))).summary;
    const parameters = { grant_type: 'refresh_token', refresh_token: 'x' };
    expect(await summary(parameters, basic('wrong'))).toMatch(/client secret in the Basic header is wrong/);
    expect(await summary(parameters, 'Bearer x')).toMatch(/not valid Basic/);
    expect(await summary({ ...parameters, client_id: APP.client_id }, '')).toMatch(/confidential client/);
    expect(await summary({ ...parameters, client_id: 'nobody' }, '')).toMatch(/client ID nobody/);
    expect(await summary({ ...parameters, client_id: 'nobody' }, basic())).toMatch(/names another client/);
  });
});
