import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppId } from '../../src/core/ids.js';
import type { NewApp } from '../../src/services/apps/apps.js';
import { createVault } from '../../src/services/secrets/vault.js';
import { sql } from '../../src/database/sql.js';
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
import { signHeader } from './support/sign.js';

let network: Network;
beforeEach(async () => {
  network = await openNetwork();
});
afterEach(() => network.engine.close());

const FIRST: NewApp = {
  id: APP,
  name: 'first app',
  ownerId: ALICE,
  permissions: 'read_write',
  confidential: true,
  credentials: CREDENTIALS,
};

const bearerContext = (token: string) =>
  network.authenticator
    .authenticate({
      method: 'GET',
      url: '/',
      headers: { authorization: `Bearer ${token}` },
      encrypted: false,
    })
    .then(
      ({ context }) => context,
      () => 'refused',
    );

async function createOther(changes: Partial<NewApp> = {}) {
  const created = await network.apps.create({
    id: OTHER_APP,
    name: 'other app',
    ownerId: BOB,
    confidential: true,
    ...changes,
  });
  if (!created.created) throw new Error('expected a new app');
  return created;
}

describe('creating an app', () => {
  it('generates missing credentials, which work', async () => {
    const { app, credentials } = await createOther({ id: undefined, redirectUris: ['https://a.example/cb'] });
    expect(credentials.bearerToken).toMatch(/^A{21}/);
    expect(credentials.clientSecret).toHaveLength(50);
    expect(await bearerContext(credentials.bearerToken)).toBe('app');
    expect(app).toEqual({
      id: app.id,
      name: 'other app',
      ownerId: BOB,
      accessLevel: 'elevated',
      track: 'standard',
      permissions: 'read',
      apiKey: credentials.apiKey,
      clientId: credentials.clientId,
      confidential: true,
      redirectUris: ['https://a.example/cb'],
      description: '',
      website: '',
      createdAtMs: NOW_MS,
    });
    expect(await network.apps.find(app.id)).toEqual(app);
  });

  it('creates no secret for a public client (docs/api/authentication.md#client-types)', async () => {
    const { app, credentials } = await createOther({ confidential: false });
    expect(credentials.clientSecret).toBeUndefined();
    expect(app.confidential).toBe(false);
  });

  it('stores no secret in plain text', async () => {
    const rows = await Promise.all([
      network.engine.all(sql`SELECT * FROM apps`),
      network.engine.all(sql`SELECT * FROM bearer_tokens`),
    ]);
    const text = JSON.stringify(rows, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).toContain(CREDENTIALS.apiKey);
    for (const secret of [CREDENTIALS.apiSecret, CREDENTIALS.bearerToken, CREDENTIALS.clientSecret]) {
      expect(text).not.toContain(secret);
    }
  });

  it('twice with the same credentials changes nothing, even after its keys were regenerated', async () => {
    const before = await network.apps.find(APP);
    expect(await network.apps.create({ ...FIRST, name: 'renamed' })).toEqual({ created: false, app: before });
    await network.apps.regenerateKeys(APP);
    expect(await network.apps.create(FIRST)).toMatchObject({ created: false });
    expect(await bearerContext(CREDENTIALS.bearerToken)).toBe('refused');
  });

  it.each([
    ['api_key', { apiKey: CREDENTIALS.apiKey }],
    ['client_id', { clientId: CREDENTIALS.clientId }],
    ['bearer_token', { bearerToken: CREDENTIALS.bearerToken }],
  ])('with the %s of another app is a conflict and stores nothing', async (name, credentials) => {
    await expect(createOther({ credentials })).rejects.toMatchObject({
      failure: {
        code: 'conflict',
        detail: `The ${name} of app 28 is already in use by another app or user.`,
      },
    });
    expect(await network.apps.find(OTHER_APP)).toBeUndefined();
    expect((await createOther()).created).toBe(true);
  });

  it('with the id of another owner’s app is a conflict', async () => {
    await expect(network.apps.create({ ...FIRST, ownerId: BOB })).rejects.toMatchObject({
      failure: { code: 'conflict', detail: 'App 27 already exists and belongs to another user.' },
    });
  });

  it.each<[string, Partial<NewApp>]>([
    ['a blank name', { name: ' ' }],
    ['a name of 101 characters', { name: 'a'.repeat(101) }],
    ['an empty credential', { credentials: { apiKey: '' } }],
    ['a credential with a space', { credentials: { bearerToken: 'a b' } }],
    ['11 redirect URIs', { redirectUris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) }],
    ['a relative redirect URI', { redirectUris: ['/callback'] }],
    ['a redirect URI with a fragment', { redirectUris: ['https://a.example/#here'] }],
    ['a redirect URI that runs a script', { redirectUris: ['JavaScript:alert(1)'] }],
  ])('with %s is an invalid request', async (_, changes) => {
    await expect(createOther(changes)).rejects.toMatchObject({ failure: { code: 'invalid-request' } });
  });

  it('accepts redirect URIs of native apps and of hosts without TLS', async () => {
    const redirectUris = ['myapp://callback', 'http://127.0.0.1:3000/cb?x=1'];
    expect((await createOther({ redirectUris })).app.redirectUris).toEqual(redirectUris);
  });

  it('in a transaction that fails stores nothing', async () => {
    const failing = network.engine.tx('load', async (tx) => {
      await network.apps.create({ id: OTHER_APP, name: 'x', ownerId: BOB, confidential: true }, tx);
      throw new Error('line 7 is wrong');
    });
    await expect(failing).rejects.toThrow('line 7 is wrong');
    expect(await network.apps.list()).toHaveLength(1);
  });
});

describe('updating an app', () => {
  it('changes the given members only', async () => {
    const before = await network.apps.find(APP);
    const changes = {
      permissions: 'read_write_dm',
      accessLevel: 'essential',
      track: 'academic_research',
      redirectUris: ['https://b.example/'],
    } as const;
    expect(await network.apps.update(APP, changes)).toEqual({ ...before, ...changes });
    expect(await network.apps.update(APP, { name: 'renamed' })).toEqual({
      ...before,
      ...changes,
      name: 'renamed',
    });
    expect(await network.apps.update(APP, { redirectUris: [] })).toMatchObject({ redirectUris: [] });
  });

  it('with an unknown id returns undefined, as does regenerating keys; deleting it returns false', async () => {
    expect(await network.apps.update(OTHER_APP, { name: 'x' })).toBeUndefined();
    expect(await network.apps.regenerateKeys(OTHER_APP)).toBeUndefined();
    expect(await network.apps.issueBearer(OTHER_APP)).toBeUndefined();
    expect(await network.apps.delete(OTHER_APP)).toBe(false);
  });
});

describe('regenerating keys', () => {
  const sign = (consumerKey: string, consumerSecret: string, nonce: string) =>
    network.authenticator.authenticate({
      method: 'GET',
      url: '/2/users/me',
      headers: {
        host: 'api.example',
        authorization: signHeader({
          method: 'GET',
          url: 'https://api.example/2/users/me',
          consumerKey,
          consumerSecret,
          token: 'bob-token',
          tokenSecret: 'bob-secret',
          timestampSeconds: NOW_MS / 1000,
          nonce,
        }),
      },
      encrypted: false,
    });

  it('revokes the old key, secret and bearer token at once and returns new ones', async () => {
    const fresh = await network.apps.regenerateKeys(APP);
    expect(fresh?.clientId).toBe(CREDENTIALS.clientId);
    expect(fresh?.clientSecret).not.toBe(CREDENTIALS.clientSecret);
    expect(await bearerContext(CREDENTIALS.bearerToken)).toBe('refused');
    expect(await bearerContext(fresh?.bearerToken ?? '')).toBe('app');
    expect((await network.apps.find(APP))?.apiKey).toBe(fresh?.apiKey);
    expect((await createOther({ credentials: { apiKey: CREDENTIALS.apiKey } })).created).toBe(true);
  });

  it('keeps tokens of users: OAuth 2.0 tokens unchanged, OAuth 1.0a tokens with the new keys', async () => {
    const given = { accessToken: 'bob-token', accessTokenSecret: 'bob-secret' };
    await network.tokens.issueOAuth1({ appId: APP, userId: BOB, given });
    const { accessToken } = await network.tokens.issueOAuth2({ appId: APP, userId: BOB, scopes: [] });
    const fresh = await network.apps.regenerateKeys(APP);
    expect(await bearerContext(accessToken)).toBe('oauth2');
    await expect(sign(CREDENTIALS.apiKey, CREDENTIALS.apiSecret, 'n1')).rejects.toMatchObject({
      failure: { code: 'unauthorized' },
    });
    expect(await sign(fresh?.apiKey ?? '', fresh?.apiSecret ?? '', 'n2')).toMatchObject({ userId: BOB });
  });
});

describe('the bearer token of the token endpoint', () => {
  it('is the generated one until it is revoked (docs/api/authentication.md#app-only-bearer-token)', async () => {
    const { credentials } = await createOther();
    expect(await network.apps.issueBearer(OTHER_APP)).toBe(credentials.bearerToken);
    expect(await network.apps.issueBearer(OTHER_APP)).toBe(credentials.bearerToken);
    await network.tokens.revoke(credentials.bearerToken);
    const next = await network.apps.issueBearer(OTHER_APP);
    expect(next).not.toBe(credentials.bearerToken);
    expect(await network.apps.issueBearer(OTHER_APP)).toBe(next);
    expect(await bearerContext(next ?? '')).toBe('app');
    expect(await bearerContext(credentials.bearerToken)).toBe('refused');
  });

  it('is stable for an app with a token from a world file, which stays valid', async () => {
    const token = await network.apps.issueBearer(APP);
    expect(await network.apps.issueBearer(APP)).toBe(token);
    expect(await bearerContext(token ?? '')).toBe('app');
    expect(await bearerContext(CREDENTIALS.bearerToken)).toBe('app');
  });

  it('stays invalid after the app is deleted and created again with the same id', async () => {
    const { credentials } = await createOther();
    await network.apps.delete(OTHER_APP);
    await createOther();
    expect(await bearerContext(credentials.bearerToken)).toBe('refused');
  });
});

describe('stored secrets with another key', () => {
  it('report a wrong key file', async () => {
    const row = await network.engine.get(sql`SELECT api_secret_sealed FROM apps WHERE id = ${27n as AppId}`);
    const other = createVault(Buffer.alloc(32));
    expect(() => other.open(String(row?.api_secret_sealed), 'app 27')).toThrow('key file');
    expect(network.vault.open(String(row?.api_secret_sealed), 'app 27')).toBe(CREDENTIALS.apiSecret);
  });
});
