import https from 'node:https';
import twitterLite from 'twitter-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { png } from '../api/support/media-files.js';
import { POSTS } from '../support/world.js';
import { startConsentServer, type ConsentServer } from '../web/support/consent-server.js';
import { CALLBACK, WEB_APP } from '../web/support/web-world.js';
import { LocalAgent } from './support/local-agent.js';

/**
 * The published client twitter-lite, unmodified. It has no option for address or agent: node’s global agent, which
 * its fetch uses, routes here.
 */

// Its types declare a default export that its module does not have.
const Twitter = twitterLite as unknown as typeof twitterLite.default;

const APP_KEYS = { consumer_key: WEB_APP.api_key, consumer_secret: WEB_APP.api_secret };
const VERSION_2 = { version: '2', extension: false };

// It turns an empty object into a bare `?`, and signs that as a parameter without a name.
const NO_PARAMETERS = null as unknown as object;

const nodeAgent = https.globalAgent;
let consentServer: ConsentServer;
let userKeys: { access_token_key: string; access_token_secret: string };

beforeAll(async () => {
  consentServer = await startConsentServer();
  https.globalAgent = new LocalAgent(consentServer.port);
  userKeys = await signIn('oob');
});
afterAll(async () => {
  https.globalAgent = nodeAgent;
  await consentServer[Symbol.asyncDispose]();
});

/** Signs in; the client signs the access token request without the request token’s secret. */
async function signIn(callback: string): Promise<typeof userKeys> {
  const client = new Twitter(APP_KEYS);
  const requested = await client.getRequestToken(callback);
  if (!('oauth_token' in requested)) throw new Error('no request token');
  const { oauth_token } = requested;
  const allowed = await consentServer.allowAt(
    `https://api.twitter.com/oauth/authorize?oauth_token=${oauth_token}`,
  );
  const oauth_verifier = URL.canParse(allowed)
    ? (new URL(allowed).searchParams.get('oauth_verifier') ?? '')
    : allowed;
  const granted = await client.getAccessToken({ oauth_token, oauth_verifier });
  if (!('oauth_token' in granted)) throw new Error('it got no access token');
  return { access_token_key: granted.oauth_token, access_token_secret: granted.oauth_token_secret };
}

describe('twitter-lite', () => {
  test('signs in by PIN and by callback', async () => {
    for (const keys of [userKeys, await signIn(CALLBACK)]) {
      const user = new Twitter({ ...APP_KEYS, ...keys, ...VERSION_2 });
      expect(await user.get('users/me')).toMatchObject({ data: { username: 'alice' } });
    }
  });

  test('gets a bearer token and reads with it', async () => {
    const { access_token } = await new Twitter(APP_KEYS).getBearerToken();
    const app = new Twitter({ ...APP_KEYS, ...VERSION_2, bearer_token: access_token });
    const found = await app.get('users/by/username/bob', { 'user.fields': 'created_at,description' });
    expect(found).toMatchObject({ data: { username: 'bob', created_at: '2020-01-02T00:00:00.000Z' } });
    await expect(app.get('users/by', { usernames: 'x!' })).rejects.toMatchObject({
      title: 'Invalid Request',
    });
  });

  test('signs parameters, and bodies of PUT', async () => {
    const user = new Twitter({ ...APP_KEYS, ...userKeys, ...VERSION_2 });
    const found = await user.get('tweets', { ids: POSTS.hello, 'tweet.fields': 'lang,created_at' });
    expect(found).toMatchObject({ data: [{ id: POSTS.hello, lang: 'en' }] });
    expect(await user.put(`tweets/${POSTS.reply}/hidden`, NO_PARAMETERS, { hidden: true })).toMatchObject({
      data: { hidden: true },
    });
  });

  test('uploads a picture as a form', async () => {
    const upload = new Twitter({ ...APP_KEYS, ...userKeys, subdomain: 'upload' });
    const media_data = (await png()).toString('base64');
    expect(await upload.post('media/upload', { media_data })).toMatchObject({
      media_id_string: expect.stringMatching(/^\d+$/) as string,
    });
  });

  test('receives the reason why its forms are not accepted by version 2', async () => {
    const user = new Twitter({ ...APP_KEYS, ...userKeys, ...VERSION_2 });
    await expect(user.post('tweets', { text: 'Good morning' })).rejects.toMatchObject({
      errors: [{ message: 'Requests with bodies must have content-type of application/json.' }],
    });
  });
});
