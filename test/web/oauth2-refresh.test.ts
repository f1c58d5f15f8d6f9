import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { allow, basic, postForm, redeem, refresh } from './support/oauth2-flow.js';
import { INVALID_TOKEN, useOAuthFixture } from './support/oauth-fixture.js';
import { WEB_APP } from './support/web-world.js';

const fixture = useOAuthFixture();

describe('refreshing', () => {
  beforeEach(fixture.signIn);

  const firstTokens = async () => (await redeem(fixture.app, await allow(fixture.browser))).body;

  test('exchanges the refresh token for a new pair', async () => {
    const first = await firstTokens();
    fixture.nowMs += 7200_000;
    const { status, body } = await refresh(fixture.app, first.refresh_token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ expires_in: 7200, scope: 'tweet.read users.read offline.access' });
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(await fixture.statusOf(body.access_token)).toBe(200);
  });

  test('with a used token fails and revokes every token of the consent', async () => {
    const first = await firstTokens();
    const second = (await refresh(fixture.app, first.refresh_token)).body;
    expect(await refresh(fixture.app, first.refresh_token)).toMatchObject({
      status: 400,
      body: INVALID_TOKEN,
    });
    expect([await fixture.statusOf(first.access_token), await fixture.statusOf(second.access_token)]).toEqual(
      [401, 401],
    );
    expect((await refresh(fixture.app, second.refresh_token)).status).toBe(400);
  });

  test('concurrently succeeds once', async () => {
    const first = await firstTokens();
    const answers = await Promise.all([1, 2, 3].map(() => refresh(fixture.app, first.refresh_token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('a used token from a world file revokes the given tokens too', async () => {
    await fixture.app.load({
      tokens: [
        {
          app: WEB_APP.id,
          user: 'bob',
          kind: 'oauth2',
          access_token: 'given-access',
          refresh_token: 'given-refresh',
          scopes: ['tweet.read', 'users.read', 'offline.access'],
        },
      ],
    });
    const { body } = await refresh(fixture.app, 'given-refresh');
    expect([await fixture.statusOf('given-access'), await fixture.statusOf(body.access_token)]).toEqual([
      200, 200,
    ]);
    expect((await refresh(fixture.app, 'given-refresh')).status).toBe(400);
    expect([await fixture.statusOf('given-access'), await fixture.statusOf(body.access_token)]).toEqual([
      401, 401,
    ]);
  });

  test('by another app is refused and revokes nothing', async () => {
    const first = await firstTokens();
    const other = basic('testclient', 'testclientsecret');
    expect(await refresh(fixture.app, first.refresh_token, other)).toMatchObject({
      status: 400,
      body: INVALID_TOKEN,
    });
    expect((await refresh(fixture.app, first.refresh_token)).status).toBe(200);
  });

  test('fails after half a year without use', async () => {
    const first = await firstTokens();
    const beforeMs = fixture.nowMs;
    onTestFinished(() => void (fixture.nowMs = beforeMs));
    fixture.nowMs += 182 * 24 * 3_600_000;
    expect(await refresh(fixture.app, first.refresh_token)).toMatchObject({
      status: 400,
      body: INVALID_TOKEN,
    });
  });
});

describe('revoking', () => {
  beforeEach(fixture.signIn);

  const revoke = (token: string | undefined, authorization?: string | null) =>
    postForm(fixture.app, '/2/oauth2/revoke', { token, token_type_hint: 'refresh_token' }, authorization);

  test('an access token affects that token only', async () => {
    const { body } = await redeem(fixture.app, await allow(fixture.browser));
    expect(await revoke(body.access_token)).toMatchObject({ status: 200, body: { revoked: true } });
    expect(await fixture.statusOf(body.access_token)).toBe(401);
    expect((await refresh(fixture.app, body.refresh_token)).status).toBe(200);
  });

  test('a refresh token also revokes its access tokens, including older ones', async () => {
    const first = (await redeem(fixture.app, await allow(fixture.browser))).body;
    const second = (await refresh(fixture.app, first.refresh_token)).body;
    expect((await revoke(second.refresh_token)).body).toEqual({ revoked: true });
    expect([await fixture.statusOf(first.access_token), await fixture.statusOf(second.access_token)]).toEqual(
      [401, 401],
    );
    expect((await refresh(fixture.app, second.refresh_token)).status).toBe(400);
  });

  test('fails for a token that is unknown, revoked, of another app, or app-only', async () => {
    const { body } = await redeem(fixture.app, await allow(fixture.browser));
    await revoke(body.access_token);
    const foreign = basic('testclient', 'testclientsecret');
    for (const answer of [
      await revoke('unknown'),
      await revoke(body.access_token),
      await revoke(body.refresh_token, foreign),
      await revoke(WEB_APP.bearer_token),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: INVALID_TOKEN });
    }
    expect((await revoke(undefined)).body.error_description).toBe('Missing required parameter [token].');
    expect((await revoke(body.refresh_token, null)).status).toBe(400);
    expect((await refresh(fixture.app, body.refresh_token)).status).toBe(200);
  });
});
