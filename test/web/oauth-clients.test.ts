import { join } from 'node:path';
import { auth, Client } from 'twitter-api-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsentServer, type ConsentServer } from './support/consent-server.js';
import { pythonWith, runFlows } from './support/python-flows.js';
import { CALLBACK, NATIVE_APP, WEB_APP } from './support/web-world.js';

/** Published clients, unmodified except for the host, with a browser without script between their steps. */

let consentServer: ConsentServer;

beforeAll(async () => {
  consentServer = await startConsentServer();
});
afterAll(() => consentServer[Symbol.asyncDispose]());

describe('the TypeScript SDK of 2022', () => {
  test.each([
    ['confidential', { client_id: WEB_APP.client_id, client_secret: WEB_APP.client_secret }],
    ['public', { client_id: NATIVE_APP.client_id }],
  ])('completes OAuth 2.0 as a %s client: code, refresh and revoke', async (_, credentials) => {
    const user = new auth.OAuth2User({
      ...credentials,
      callback: CALLBACK,
      scopes: ['tweet.read', 'users.read', 'offline.access'],
      request_options: { base_url: consentServer.url },
    });
    const client = new Client(user, { base_url: consentServer.url });
    const link = user.generateAuthURL({ state: 'a-state', code_challenge_method: 's256' });
    const back = new URL(await consentServer.allowAt(link));
    await user.requestAccessToken(back.searchParams.get('code') ?? '');
    expect((await client.users.findMyUser()).data?.username).toBe('alice');
    const { token } = await user.refreshAccessToken();
    expect((await client.users.findMyUser()).data?.username).toBe('alice');
    expect(token.scope).toBe('tweet.read users.read offline.access');
    expect(await user.revokeAccessToken()).toMatchObject({ revoked: true });
  });
});

const forTweepy = pythonWith('tweepy');
describe.skipIf(forTweepy === undefined)('tweepy (skipped where `import tweepy` fails)', () => {
  test('completes OAuth 1.0a with callback and PIN, OAuth 2.0 as both types of client, and app-only', async () => {
    const everywhere = { callback: 'alice', pin: 'alice', confidential: 'alice', public: 'alice' };
    expect(
      await runFlows(String(forTweepy), join(import.meta.dirname, 'tweepy_handlers.py'), consentServer),
    ).toEqual({
      ...everywhere,
      appOnly: 'alice',
    });
  });
});
