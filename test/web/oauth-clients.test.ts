import { join } from 'node:path';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as McpSdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { auth, Client } from 'twitter-api-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_URL } from '../support/app.js';
import { startConsentServer, type ConsentServer } from './support/consent-server.js';
import { pythonWith } from '../support/python.js';
import { runFlows } from './support/python-flows.js';
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

describe('the SDK of the Model Context Protocol', () => {
  test.each([
    ['confidential', { client_id: WEB_APP.client_id, client_secret: WEB_APP.client_secret }],
    ['public', { client_id: NATIVE_APP.client_id }],
  ])('finds the authorization server from /mcp and signs in as a %s client', async (_, credentials) => {
    const saved: Partial<Record<'tokens' | 'verifier' | 'link', unknown>> = {};
    const authProvider: OAuthClientProvider = {
      redirectUrl: CALLBACK,
      clientMetadata: { redirect_uris: [CALLBACK] },
      clientInformation: () => credentials,
      state: () => 'a-state',
      tokens: () => saved.tokens as OAuthTokens | undefined,
      saveTokens: (tokens) => void (saved.tokens = tokens),
      saveCodeVerifier: (verifier) => void (saved.verifier = verifier),
      codeVerifier: () => String(saved.verifier),
      redirectToAuthorization: (link) => void (saved.link = link),
    };
    const connect = () => {
      const client = new McpSdkClient({ name: 'test', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL('/mcp', TEST_URL), {
        authProvider,
        // The server's public address stands for the one that it listens on.
        fetch: (url, init) => fetch(String(url).replace(TEST_URL, consentServer.url), init),
      });
      return { client, transport, connected: client.connect(transport) };
    };
    const { transport, connected } = connect();
    await expect(connected).rejects.toThrow(UnauthorizedError);
    const back = new URL(await consentServer.allowAt(String(saved.link)));
    await transport.finishAuth(back.searchParams.get('code') ?? '');
    expect(saved.tokens).toMatchObject({
      scope: expect.stringContaining('tweet.write'),
      refresh_token: expect.any(String),
    });
    // An access token that is not valid any more is replaced by the refresh token.
    saved.tokens = { ...(saved.tokens as OAuthTokens), access_token: 'expired' };
    const { client, connected: again } = connect();
    await again;
    const me = await client.callTool({ name: 'findMyUser', arguments: {} });
    expect(JSON.stringify(me.content)).toContain('alice');
    await client.close();
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
