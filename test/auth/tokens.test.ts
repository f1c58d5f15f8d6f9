import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppId } from '../../src/core/ids.js';
import { findBearerToken, findOAuth1Token } from '../../src/stores/tokens.js';
import { hashToken } from '../../src/services/secrets/secrets.js';
import {
  ALICE,
  APP,
  BOB,
  CREDENTIALS,
  NOW_MS,
  openNetwork,
  OTHER_APP,
  type Network,
} from './support/network.js';

let network: Network;
beforeEach(async () => {
  network = await openNetwork();
});
afterEach(() => network.engine.close());

const findBearer = (token: string) => findBearerToken(network.engine, hashToken(token));
const findSigned = (token: string) => findOAuth1Token(network.engine, token, CREDENTIALS.apiKey);
const GIVEN = { accessToken: `${BOB}-given`, accessTokenSecret: 'given-secret' };

describe('OAuth 1.0a tokens', () => {
  it('start with the user’s id and have a secret', async () => {
    const { accessToken, accessTokenSecret } = await network.tokens.issueOAuth1({ appId: APP, userId: BOB });
    expect(accessToken).toMatch(/^6253282-[A-Za-z0-9]{40}$/);
    expect(accessTokenSecret).toHaveLength(45);
    expect(await findSigned(accessToken)).toMatchObject({ user: { id: BOB, suspended: false } });
  });

  it('keep the permission of the app at issue (docs/api/authentication.md#permissions)', async () => {
    const old = await network.tokens.issueOAuth1({ appId: APP, userId: BOB });
    await network.apps.update(APP, { permissions: 'read_write_dm' });
    const raised = await network.tokens.issueOAuth1({ appId: APP, userId: BOB });
    await network.apps.update(APP, { permissions: 'read' });
    expect((await findSigned(old.accessToken))?.permission).toBe('read_write');
    expect((await findSigned(raised.accessToken))?.permission).toBe('read_write_dm');
  });

  it('given twice change nothing, including their permission', async () => {
    const input = { appId: APP, userId: BOB, given: GIVEN };
    expect(await network.tokens.issueOAuth1(input)).toEqual({ isNew: true, ...GIVEN });
    await network.apps.update(APP, { permissions: 'read_write_dm' });
    expect(await network.tokens.issueOAuth1(input)).toEqual({ isNew: false, ...GIVEN });
    expect((await findSigned(GIVEN.accessToken))?.permission).toBe('read_write');
  });

  it('stay revoked when given again', async () => {
    const input = { appId: APP, userId: BOB, given: GIVEN };
    await network.tokens.issueOAuth1(input);
    expect(await network.tokens.revoke(GIVEN.accessToken)).toBe(true);
    await network.tokens.issueOAuth1(input);
    expect(await findSigned(GIVEN.accessToken)).toBeUndefined();
  });
});

describe('OAuth 2.0 tokens', () => {
  it('last two hours and have a refresh token only with offline.access (docs/api/authentication.md#tokens)', async () => {
    const input = { appId: APP, userId: BOB };
    const plain = await network.tokens.issueOAuth2({ ...input, scopes: ['tweet.read'] });
    expect(plain).toEqual({ isNew: true, accessToken: plain.accessToken, expiresInSeconds: 7200 });
    const offline = await network.tokens.issueOAuth2({ ...input, scopes: ['tweet.read', 'offline.access'] });
    expect(offline.refreshToken).toMatch(/^[\w-]{88}$/);
    expect((await findBearer(offline.accessToken))?.user?.scopes).toEqual(
      new Set(['tweet.read', 'offline.access']),
    );
  });

  it('accept a given refresh token and expiry, or none', async () => {
    const input = { appId: APP, userId: BOB, scopes: [] };
    expect(
      await network.tokens.issueOAuth2({
        ...input,
        given: { accessToken: 'a', refreshToken: 'r' },
        expiresAtMs: NOW_MS + 1500,
      }),
    ).toEqual({ isNew: true, accessToken: 'a', refreshToken: 'r', expiresInSeconds: 2 });
    await network.tokens.issueOAuth2({ ...input, given: { accessToken: 'b' }, expiresAtMs: 'never' });
    expect(await findBearer('a')).toMatchObject({ expiresAtMs: NOW_MS + 1500 });
    const forever = await findBearer('b');
    expect(forever).toMatchObject({ user: { id: BOB, scopes: new Set() } });
    expect(forever?.expiresAtMs).toBeUndefined();
  });

  it('given twice change nothing, including their scopes', async () => {
    const input = { appId: APP, userId: BOB, given: { accessToken: 'a', refreshToken: 'r' } };
    await network.tokens.issueOAuth2({ ...input, scopes: ['tweet.read'] });
    await network.tokens.issueOAuth2({ ...input, scopes: ['tweet.write'] });
    expect((await findBearer('a'))?.user?.scopes).toEqual(new Set(['tweet.read']));
  });
});

describe('issuing', () => {
  beforeEach(async () => {
    await network.apps.create({ id: OTHER_APP, name: 'other', ownerId: BOB, confidential: false });
    await network.tokens.issueOAuth1({ appId: APP, userId: BOB, given: GIVEN });
    await network.tokens.issueOAuth2({
      appId: APP,
      userId: BOB,
      scopes: [],
      given: { accessToken: 'a', refreshToken: 'r' },
    });
  });

  it.each([
    ['app', { appId: OTHER_APP, userId: BOB }],
    ['user', { appId: APP, userId: ALICE }],
  ])('a token of another %s is a conflict', async (_, owner) => {
    const conflict = (name: string) => ({
      failure: {
        code: 'conflict',
        detail: `The ${name} for app ${owner.appId} and user ${owner.userId} is already in use by another app or user.`,
      },
    });
    const issueOAuth2 = (given: { accessToken?: string; refreshToken?: string }) =>
      network.tokens.issueOAuth2({ ...owner, scopes: [], given });
    await expect(network.tokens.issueOAuth1({ ...owner, given: GIVEN })).rejects.toMatchObject(
      conflict('access_token'),
    );
    await expect(issueOAuth2({ accessToken: 'a' })).rejects.toMatchObject(conflict('access_token'));
    await expect(issueOAuth2({ accessToken: 'new', refreshToken: 'r' })).rejects.toMatchObject(
      conflict('refresh_token'),
    );
    await expect(issueOAuth2({ accessToken: CREDENTIALS.bearerToken })).rejects.toMatchObject(
      conflict('access_token'),
    );
    expect(await findBearer('new')).toBeUndefined();
  });

  it('for an unknown app, or a token that is invalid in a header, is an invalid request', async () => {
    const invalid = { failure: { code: 'invalid-request' } };
    const unknown = { appId: 99n as AppId, userId: BOB };
    await expect(network.tokens.issueOAuth1(unknown)).rejects.toMatchObject(invalid);
    await expect(network.tokens.issueOAuth2({ ...unknown, scopes: [] })).rejects.toMatchObject(invalid);
    const known = { appId: APP, userId: BOB };
    for (const accessToken of ['', 'a b', 'ü', 'a\n']) {
      const given = { accessToken, accessTokenSecret: 's' };
      await expect(network.tokens.issueOAuth1({ ...known, given })).rejects.toMatchObject(invalid);
      await expect(network.tokens.issueOAuth2({ ...known, scopes: [], given })).rejects.toMatchObject(
        invalid,
      );
    }
  });
});

describe('revoking a token by its text', () => {
  it('works once for every type and keeps other tokens', async () => {
    const signed = await network.tokens.issueOAuth1({ appId: APP, userId: BOB });
    const user = await network.tokens.issueOAuth2({ appId: APP, userId: BOB, scopes: [] });
    const kept = await network.tokens.issueOAuth2({ appId: APP, userId: BOB, scopes: [] });
    for (const token of [signed.accessToken, user.accessToken, CREDENTIALS.bearerToken]) {
      expect(await network.tokens.revoke(token)).toBe(true);
      expect(await network.tokens.revoke(token)).toBe(false);
    }
    expect(await network.tokens.revoke('unknown')).toBe(false);
    expect(await findSigned(signed.accessToken)).toBeUndefined();
    expect(await findBearer(user.accessToken)).toBeUndefined();
    expect(await findBearer(CREDENTIALS.bearerToken)).toBeUndefined();
    expect(await findBearer(kept.accessToken)).toBeDefined();
  });

  it('revokes the access token with its refresh token (docs/api/authentication.md#revoke)', async () => {
    const issued = await network.tokens.issueOAuth2({ appId: APP, userId: BOB, scopes: ['offline.access'] });
    expect(await network.tokens.revoke(issued.refreshToken ?? '')).toBe(true);
    expect(await findBearer(issued.accessToken)).toBeUndefined();
  });

  it('takes part in a given transaction', async () => {
    const failing = network.engine.tx('undone', async (tx) => {
      await network.tokens.revoke(CREDENTIALS.bearerToken, tx);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await findBearer(CREDENTIALS.bearerToken)).toBeDefined();
  });
});
