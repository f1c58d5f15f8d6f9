import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../src/api/route-table.js';
import type { UserId } from '../../src/core/ids.js';
import { SCOPES, type Scope } from '../../src/core/access.js';
import { signHeader } from '../auth/support/sign.js';
import { startTestApp, TEST_URL, type OAuth1Credentials, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { PERMISSION_MISSING } from './support/errors.js';
import { servedConformity } from './support/conformity.js';
import { walkCatalogue } from './walk-catalogue.js';

let app: TestApp;
let oauth2: string;
let oauth1: OAuth1Credentials;

beforeAll(async () => {
  app = await startTestApp();
  oauth2 = await app.as('alice');
  oauth1 = await app.oauth1('alice');
});
afterAll(() => app.close());

const sign = (method: string, url: string, credentials: OAuth1Credentials): Record<string, string> => ({
  authorization: signHeader({
    method,
    url: TEST_URL + url,
    consumerKey: credentials.appKey,
    consumerSecret: credentials.appSecret,
    token: credentials.accessToken,
    tokenSecret: credentials.accessSecret,
    timestampSeconds: Math.floor(Date.now() / 1000),
    nonce: randomUUID(),
  }),
});

describe('every endpoint of the running server', () => {
  it('responds as documented to its example, to missing and wrong credentials, and to invalid input', async () => {
    const faults = await walkCatalogue({
      app: app.pipit.app,
      endpoints,
      credentials: {
        app: () => ({ authorization: `Bearer ${app.bearer}` }),
        oauth2: () => ({ authorization: `Bearer ${oauth2}` }),
        oauth1: ({ method, url }) => sign(method, url, oauth1),
      },
      ownId: USERS.alice,
      check: await servedConformity(app),
    });
    expect(faults).toEqual([]);
  });

  it('returns 403 to an OAuth 2.0 token without one of its scopes', async () => {
    for (const { access, method, path, operationId } of endpoints) {
      if (access === 'public' || !(access.contexts as readonly string[]).includes('oauth2')) continue;
      for (const scope of access.scopes ?? []) {
        const others = SCOPES.filter((other): other is Scope => other !== scope);
        const token = await app.as('alice', others);
        const url = path.replace(/\{[^}]+\}/g, '1');
        const answer = await app.request({
          method,
          url,
          headers: { authorization: `Bearer ${token}` },
        });
        expect(answer.status, `${operationId} without ${scope}`).toBe(403);
        expect(answer.body).toEqual({
          title: 'Forbidden',
          detail: 'Forbidden',
          type: 'about:blank',
          status: 403,
        });
      }
    }
  });

  it('returns 403 to OAuth 1.0a tokens without its permission', async () => {
    const readOnly = await app.oauth1('bob', 'read');
    for (const { access, method, path, operationId, errorStyle } of endpoints) {
      if (access === 'public' || (access.permission ?? 'read') === 'read') continue;
      const url = path.replace(/\{[^}]+\}/g, '1');
      const answer = await app.request({ method, url, headers: sign(method, url, readOnly) });
      expect(answer.status, operationId).toBe(403);
      if (errorStyle === 'v1') expect(answer.body.errors[0].code).toBe(261);
      else expect(answer.body.type).toBe('https://api.twitter.com/2/problems/oauth1-permissions');
      expect(answer.headers['x-access-level']).toBe('read');
    }
  });

  it('returns 403 to OAuth 2.0 tokens of an app without its permission', async () => {
    const token = await tokenOfReadOnlyApp();
    const headers = { authorization: `Bearer ${token}` };
    const written = endpoints.filter(
      ({ access }) =>
        access !== 'public' &&
        (access.permission ?? 'read') !== 'read' &&
        (access.contexts as readonly string[]).includes('oauth2'),
    );
    expect(written.length).toBeGreaterThan(0);
    for (const { method, path, operationId } of written) {
      const answer = await app.request({ method, url: path.replace(/\{[^}]+\}/g, '1'), headers });
      expect(answer.status, operationId).toBe(403);
      expect(answer.body).toEqual(PERMISSION_MISSING);
      expect(answer.headers['x-access-level']).toBe('read');
    }
    expect((await app.get('/2/users/me', token)).status).toBe(200);
  });
});

/** Returns a token of alice with every scope, for an app with read permission only. */
async function tokenOfReadOnlyApp(): Promise<string> {
  const { backend } = app.pipit;
  const userId = BigInt(USERS.alice) as UserId;
  const created = await backend.apps.create({
    name: 'reader',
    ownerId: userId,
    permissions: 'read',
    confidential: false,
  });
  return (await backend.tokens.issueOAuth2({ appId: created.app.id, userId, scopes: SCOPES })).accessToken;
}
