import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuthRequest } from '../../src/auth/authenticate.js';
import type { PipitError } from '../../src/core/errors.js';
import { sql } from '../../src/database/sql.js';
import { revokeAppGrants } from '../../src/stores/app-grants.js';
import { deleteUser, findUser, setStanding } from '../../src/stores/users.js';
import { steadyChanges } from '../support/steady-changes.js';
import {
  ALICE,
  APP,
  BOB,
  CREDENTIALS,
  NOW_MS,
  openNetwork,
  userNamed,
  type Network,
} from './support/network.js';
import { signHeader, type Signing } from './support/sign.js';

const OAUTH1 = { accessToken: `${BOB}-token`, accessTokenSecret: 'token-secret' };
const OAUTH2 = 'oauth2-access-token';
const APP_ACCESS = {
  id: APP,
  name: 'first app',
  clientId: CREDENTIALS.clientId,
  accessLevel: 'elevated',
  track: 'standard',
  permissions: 'read_write',
};

let network: Network;
beforeEach(async () => {
  network = await openNetwork();
  await network.tokens.issueOAuth1({ appId: APP, userId: BOB, given: OAUTH1 });
  await network.tokens.issueOAuth2({
    appId: APP,
    userId: BOB,
    scopes: ['tweet.read', 'users.read'],
    given: { accessToken: OAUTH2 },
  });
});
afterEach(() => network.engine.close());

function request(authorization?: string, overrides: Partial<AuthRequest> = {}): AuthRequest {
  const rawHeaders = authorization === undefined ? [] : ['Authorization', authorization];
  return {
    method: 'GET',
    url: '/2/users/me',
    headers: { host: 'api.example', authorization },
    rawHeaders: ['Host', 'api.example', ...rawHeaders],
    encrypted: false,
    ...overrides,
  };
}

let nonce = 0;
function signed(changes: Partial<Signing> = {}): AuthRequest {
  nonce += 1;
  const signing: Signing = {
    method: 'GET',
    url: 'https://api.example/2/users/me',
    consumerKey: CREDENTIALS.apiKey,
    consumerSecret: CREDENTIALS.apiSecret,
    token: OAUTH1.accessToken,
    tokenSecret: OAUTH1.accessTokenSecret,
    timestampSeconds: Math.floor(network.time.nowMs / 1000),
    nonce: `nonce ${nonce}`,
    ...changes,
  };
  return request(signHeader(signing));
}

const authenticate = (authRequest: AuthRequest) => network.authenticator.authenticate(authRequest);
async function failureOf(authRequest: AuthRequest) {
  return authenticate(authRequest).then(
    (principal) => principal,
    (error: PipitError) => error.failure,
  );
}

it('reads a token again only after a change of its user, its app or the tokens of this user', async () => {
  const { engine, tokens, apps } = network;
  const given = { accessToken: 'alice-access-token' };
  await tokens.issueOAuth2({ appId: APP, userId: ALICE, scopes: ['users.read'], given });
  await steadyChanges(engine, ['users']);
  const reads = vi.spyOn(engine, 'get');
  /** Authenticates and returns the refusal, and whether that read the database. */
  const outcome = async (
    authRequest: AuthRequest,
  ): Promise<[refusal: string | undefined, isRead: boolean]> => {
    await engine.catchUp();
    reads.mockClear();
    const failure = await failureOf(authRequest);
    return ['code' in failure ? failure.code : undefined, reads.mock.calls.length > 0];
  };
  const all = async () => ({
    alice: await outcome(request(`Bearer ${given.accessToken}`)),
    bob: await outcome(request(`Bearer ${OAUTH2}`)),
    bobSigned: await outcome(signed()),
    app: await outcome(request(`Bearer ${CREDENTIALS.bearerToken}`)),
  });
  const [READ, KEPT] = [
    [undefined, true],
    [undefined, false],
  ];
  expect(await all()).toEqual({ alice: READ, bob: READ, bobSigned: READ, app: READ });
  expect(await all()).toEqual({ alice: KEPT, bob: KEPT, bobSigned: KEPT, app: KEPT });
  await engine.tx('suspend', (tx) => setStanding(tx, ALICE, 'suspended'));
  expect(await all()).toEqual({ alice: ['forbidden', true], bob: KEPT, bobSigned: KEPT, app: KEPT });
  await apps.update(APP, { permissions: 'read' });
  expect(await all()).toEqual({ alice: ['forbidden', true], bob: READ, bobSigned: READ, app: READ });
  await engine.tx('revoke', (tx) => revokeAppGrants(tx, BOB, APP, NOW_MS));
  const revoked = ['unauthorized', true];
  expect(await all()).toEqual({ alice: ['forbidden', false], bob: revoked, bobSigned: revoked, app: KEPT });
});

describe('a bearer token', () => {
  it('of an app gives the application context (docs/api/authentication.md#credentials)', async () => {
    expect(await authenticate(request(`Bearer ${CREDENTIALS.bearerToken}`))).toEqual({
      context: 'app',
      app: APP_ACCESS,
    });
  });

  it('of a user gives the OAuth 2.0 user context with its scopes (docs/api/authentication.md#credentials)', async () => {
    expect(await authenticate(request(`bearer  ${OAUTH2}`))).toEqual({
      context: 'oauth2',
      app: APP_ACCESS,
      userId: BOB,
      permission: 'read_write',
      scopes: new Set(['tweet.read', 'users.read']),
    });
  });

  it('is compared verbatim, including percent escapes (docs/api/authentication.md#app-only-bearer-token)', async () => {
    const decoded = decodeURIComponent(CREDENTIALS.bearerToken);
    expect(await failureOf(request(`Bearer ${decoded}`))).toMatchObject({ code: 'unauthorized' });
  });

  it('is refused when unknown, with code 89 for v1.1 paths (docs/api/errors.md#v11-errors)', async () => {
    expect(await failureOf(request('Bearer nonsense'))).toEqual({
      code: 'unauthorized',
      reason: 'invalid-token',
    });
  });

  it('expires two hours after its issue, to the millisecond (docs/api/authentication.md#tokens)', async () => {
    network.time.nowMs = NOW_MS + 7_199_999;
    expect(await authenticate(request(`Bearer ${OAUTH2}`))).toMatchObject({ context: 'oauth2' });
    network.time.nowMs = NOW_MS + 7_200_000;
    expect(await failureOf(request(`Bearer ${OAUTH2}`))).toMatchObject({ code: 'unauthorized' });
  });

  it('is refused once it is revoked', async () => {
    for (const token of [OAUTH2, CREDENTIALS.bearerToken]) {
      await network.tokens.revoke(token);
      expect(await failureOf(request(`Bearer ${token}`))).toMatchObject({ code: 'unauthorized' });
    }
  });
});

describe('an OAuth 1.0a signature', () => {
  it('gives the user context with the permission of the token (docs/api/authentication.md#credentials, docs/api/authentication.md#permissions)', async () => {
    expect(await authenticate(signed())).toEqual({
      context: 'oauth1',
      app: APP_ACCESS,
      userId: BOB,
      permission: 'read_write',
    });
  });

  it('is refused without a token, with another app’s key and with a wrong secret', async () => {
    expect(await failureOf(signed({ token: undefined, tokenSecret: undefined }))).toEqual({
      code: 'unauthorized',
    });
    const other = await network.apps.create({ name: 'other', ownerId: ALICE, confidential: false });
    if (!other.created) throw new Error('expected a new app');
    const { apiKey: consumerKey, apiSecret: consumerSecret } = other.credentials;
    expect(await failureOf(signed({ consumerKey, consumerSecret }))).toMatchObject({ code: 'unauthorized' });
    expect(await failureOf(signed({ consumerSecret: 'x' }))).toEqual({ code: 'unauthorized' });
    expect(await failureOf(signed({ tokenSecret: 'x' }))).toEqual({ code: 'unauthorized' });
  });

  it('is refused with an unknown or revoked token, code 89 (docs/api/authentication.md#three-legged-flow)', async () => {
    const invalidToken = { code: 'unauthorized', reason: 'invalid-token' };
    expect(await failureOf(signed({ token: 'unknown' }))).toEqual(invalidToken);
    await network.tokens.revoke(OAUTH1.accessToken);
    expect(await failureOf(signed())).toEqual(invalidToken);
  });

  it('is accepted once: one of ten equal concurrent requests succeeds', async () => {
    const same = signed();
    const results = await Promise.all(Array.from({ length: 10 }, () => failureOf(same)));
    expect(results.filter((result) => 'context' in result)).toHaveLength(1);
    expect(results.filter((result) => 'code' in result && result.code === 'unauthorized')).toHaveLength(9);
  });

  it('is refused if more than 5 minutes old, code 135 (docs/api/authentication.md#signature)', async () => {
    const late = signed();
    network.time.nowMs += 300_001;
    expect(await failureOf(late)).toEqual({ code: 'unauthorized', reason: 'timestamp-out-of-bounds' });
  });

  it('can use the nonce of an earlier request that was refused', async () => {
    const good = signed();
    expect(await failureOf({ ...good, url: '/2/users/me?a=1' })).toMatchObject({ code: 'unauthorized' });
    expect(await authenticate(good)).toMatchObject({ context: 'oauth1' });
  });

  it('is accepted in the query string (RFC 5849 3.5.3)', async () => {
    const header = signed().headers.authorization ?? '';
    const query = header
      .replace(/^OAuth /, '')
      .replaceAll('"', '')
      .replaceAll(', ', '&');
    expect(await authenticate(request(undefined, { url: `/2/users/me?${query}` }))).toMatchObject({
      context: 'oauth1',
    });
  });
});

describe('the permission of a user’s token (docs/api/authentication.md#permissions)', () => {
  const permissions = async () => {
    const principals = await Promise.all([authenticate(request(`Bearer ${OAUTH2}`)), authenticate(signed())]);
    return principals.map((principal) => principal.context !== 'app' && principal.permission);
  };

  it('is at most that of its app at issue: raising the app requires new tokens', async () => {
    expect(await permissions()).toEqual(['read_write', 'read_write']);
    await network.apps.update(APP, { permissions: 'read_write_dm' });
    expect(await permissions()).toEqual(['read_write', 'read_write']);
  });

  it('is lowered with that of the app, from the commit on', async () => {
    await permissions();
    await network.apps.update(APP, { permissions: 'read' });
    expect(await permissions()).toEqual(['read', 'read']);
  });
});

describe('credentials are refused', () => {
  const basic = `Basic ${Buffer.from(`${CREDENTIALS.apiKey}:${CREDENTIALS.apiSecret}`).toString('base64')}`;

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['Basic, which is for token endpoints only (docs/api/authentication.md#credentials)', basic],
    ['of an unknown scheme', `Token ${CREDENTIALS.bearerToken}`],
    ['a bearer scheme without a token', 'Bearer'],
    ['a bearer scheme with two tokens', `Bearer ${CREDENTIALS.bearerToken} ${OAUTH2}`],
    ['a bare token', CREDENTIALS.bearerToken],
    ['an OAuth scheme without parameters', 'OAuth '],
  ])('when they are %s', async (_, authorization) => {
    expect(await failureOf(request(authorization))).toEqual({ code: 'unauthorized' });
  });

  it('in the query string, as access_token', async () => {
    const url = `/2/users/me?access_token=${encodeURIComponent(CREDENTIALS.bearerToken)}`;
    expect(await failureOf(request(undefined, { url }))).toEqual({ code: 'unauthorized' });
  });

  it('when there is more than one Authorization header, even with equal values', async () => {
    const authorization = `Bearer ${CREDENTIALS.bearerToken}`;
    const rawHeaders = ['authorization', authorization, 'Host', 'a', 'AUTHORIZATION', authorization];
    expect(await failureOf(request(authorization, { rawHeaders }))).toEqual({ code: 'unauthorized' });
  });

  it('with a public message without details, and a log message without secrets', async () => {
    for (const authRequest of [request('Bearer s3cret'), signed({ tokenSecret: 's3cret' })]) {
      const error = await authenticate(authRequest).catch((thrown: PipitError) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(JSON.stringify(error) + String((error as Error).message)).not.toMatch(/s3cret|token-secret/);
    }
  });
});

describe('tokens of unavailable users', () => {
  const suspended = {
    code: 'forbidden',
    detail: 'Your account is suspended and is not permitted to access this feature.',
  };

  it('are forbidden while the user is suspended, code 64 (docs/api/errors.md#v11-errors)', async () => {
    await network.engine.tx('suspend', (tx) => setStanding(tx, BOB, 'suspended'));
    expect(await failureOf(request(`Bearer ${OAUTH2}`))).toEqual(suspended);
    expect(await failureOf(signed())).toEqual(suspended);
    expect(await failureOf(signed({ tokenSecret: 'x' }))).toEqual({ code: 'unauthorized' });
    await network.engine.tx('restore', (tx) => setStanding(tx, BOB, 'active'));
    expect(await authenticate(signed())).toMatchObject({ userId: BOB });
  });

  it('are refused after the user is deleted; the app’s own token stays valid', async () => {
    const bob = await findUser(network.engine, BOB);
    await network.engine.tx('delete', (tx) => deleteUser(tx, bob ?? userNamed(BOB, 'bob')));
    expect(await failureOf(request(`Bearer ${OAUTH2}`))).toMatchObject({ code: 'unauthorized' });
    expect(await failureOf(signed())).toMatchObject({ code: 'unauthorized' });
    expect(await authenticate(request(`Bearer ${CREDENTIALS.bearerToken}`))).toMatchObject({
      context: 'app',
    });
  });

  it('are refused after the app is deleted, and its credentials are removed', async () => {
    expect(await network.apps.delete(APP)).toBe(true);
    for (const authRequest of [
      request(`Bearer ${CREDENTIALS.bearerToken}`),
      request(`Bearer ${OAUTH2}`),
      signed(),
    ]) {
      expect(await failureOf(authRequest)).toMatchObject({ code: 'unauthorized' });
    }
    const left = await network.engine.get(sql`
      SELECT (SELECT count(*) FROM apps) + (SELECT count(*) FROM api_keys) + (SELECT count(*) FROM client_ids)
        + (SELECT count(*) FROM bearer_tokens) + (SELECT count(*) FROM oauth1_tokens) AS found`);
    expect(Number(left?.found)).toBe(0);
  });
});
