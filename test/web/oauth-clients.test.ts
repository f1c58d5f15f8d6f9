import { join } from 'node:path';
import { auth, Client } from 'twitter-api-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openConsentDesk, type ConsentDesk } from './support/consent-desk.js';
import { pythonWith, runFlows } from './support/python-flows.js';
import { CALLBACK, NATIVE_APP, WEB_APP } from './support/web-world.js';

/** Published clients, unmodified but for the host; a browser without script stands between their steps. */

let desk: ConsentDesk;

beforeAll(async () => {
  desk = await openConsentDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

describe('the TypeScript SDK of 2022', () => {
  test.each([
    ['confidential', { client_id: WEB_APP.client_id, client_secret: WEB_APP.client_secret }],
    ['public', { client_id: NATIVE_APP.client_id }],
  ])('goes through OAuth 2.0 as a %s client: code, refresh and revoke', async (_, credentials) => {
    const user = new auth.OAuth2User({
      ...credentials,
      callback: CALLBACK,
      scopes: ['tweet.read', 'users.read', 'offline.access'],
      request_options: { base_url: desk.url },
    });
    const client = new Client(user, { base_url: desk.url });
    const link = user.generateAuthURL({ state: 'a-state', code_challenge_method: 's256' });
    const back = new URL(await desk.allowAt(link));
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
  test('goes through OAuth 1.0a with callback and PIN, OAuth 2.0 as both kinds of client, and app-only', async () => {
    const everywhere = { callback: 'alice', pin: 'alice', confidential: 'alice', public: 'alice' };
    expect(await runFlows(String(forTweepy), join(import.meta.dirname, 'tweepy_handlers.py'), desk)).toEqual({
      ...everywhere,
      appOnly: 'alice',
    });
  });
});
