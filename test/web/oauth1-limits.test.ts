import { beforeEach, describe, expect, test } from 'vitest';
import { signHeader } from '../auth/support/sign.js';
import { TEST_URL } from '../support/app.js';
import { CONSUMER, decide, exchange, requestToken, verifierOf } from './support/oauth1-flow.js';
import { useOAuthFixture } from './support/oauth-fixture.js';

const MINUTE_MS = 60_000;

const codeOf = (answer: { body: { errors: { code: number }[] } }) => answer.body.errors[0]?.code;

describe('a server with strict OAuth 1.0a', () => {
  const strict = useOAuthFixture({ flags: { strictOauth1: true } });
  beforeEach(strict.signIn);

  test('issues access tokens only for requests signed with both secrets', async () => {
    const token = await requestToken(strict.app, strict.nowMs);
    const verifier = verifierOf(await decide(strict.browser, token, 'approve'));
    const wrong = await exchange(strict.app, { ...token, tokenSecret: '' }, verifier, strict.nowMs);
    expect([wrong.status, codeOf(wrong)]).toEqual([401, 32]);
    const pairs = `oauth_token=${token.token}&oauth_verifier=${verifier}`;
    const unsigned = await strict.app.post(`/oauth/access_token?${pairs}`);
    expect([unsigned.status, codeOf(unsigned)]).toEqual([401, 32]);
    expect((await exchange(strict.app, token, verifier, strict.nowMs)).status).toBe(200);
  });
});

describe('limits', () => {
  // A factor so small that every limit is one call.
  const limited = useOAuthFixture({ flags: { rateLimits: '0.0001', trustedProxy: ['127.0.0.1'] } });
  const from = (address: string, keys = CONSUMER) => {
    const signing = { method: 'POST', url: `${TEST_URL}/oauth/request_token`, ...keys };
    const timestampSeconds = Math.floor(limited.nowMs / 1000);
    const authorization = signHeader({ ...signing, timestampSeconds, nonce: String(Math.random()) });
    const headers = { authorization, 'x-forwarded-for': address };
    return limited.app.request({ method: 'POST', url: '/oauth/request_token', headers });
  };

  test('of request tokens apply per address, and per app for signed requests', async () => {
    const stranger = { ...CONSUMER, consumerSecret: 'x' };
    expect((await from('192.0.2.1', stranger)).status).toBe(401);
    const again = await from('192.0.2.1');
    expect([again.status, codeOf(again)]).toEqual([429, 88]);
    expect((await from('192.0.2.2')).status).toBe(200);
    expect((await from('192.0.2.3')).status).toBe(429);
    limited.nowMs += 15 * MINUTE_MS;
    expect((await from('192.0.2.1')).status).toBe(200);
  });

  test('of access tokens apply per address', async () => {
    const send = () => limited.app.post('/oauth/access_token?oauth_token=a&oauth_verifier=b');
    const answers = [await send(), await send()];
    expect(answers.map(({ status }) => status)).toEqual([401, 429]);
  });
});
