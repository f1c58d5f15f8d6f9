import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { allow, basic, postForm, redeem, refresh } from './support/oauth2-flow.js';
import { INVALID_TOKEN, stageOAuth } from './support/oauth-stage.js';
import { WEB_APP } from './support/web-world.js';

const stage = stageOAuth();

describe('refreshing', () => {
  beforeEach(stage.signIn);

  const firstTokens = async () => (await redeem(stage.app, await allow(stage.browser))).body;

  test('exchanges the refresh token for a new pair', async () => {
    const first = await firstTokens();
    stage.nowMs += 7200_000;
    const { status, body } = await refresh(stage.app, first.refresh_token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ expires_in: 7200, scope: 'tweet.read users.read offline.access' });
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(await stage.statusOf(body.access_token)).toBe(200);
  });

  test('with a token that was used before fails, and revokes all that came of the consent', async () => {
    const first = await firstTokens();
    const second = (await refresh(stage.app, first.refresh_token)).body;
    expect(await refresh(stage.app, first.refresh_token)).toMatchObject({ status: 400, body: INVALID_TOKEN });
    expect([await stage.statusOf(first.access_token), await stage.statusOf(second.access_token)]).toEqual([
      401, 401,
    ]);
    expect((await refresh(stage.app, second.refresh_token)).status).toBe(400);
  });

  test('at once gives tokens to one of several', async () => {
    const first = await firstTokens();
    const answers = await Promise.all([1, 2, 3].map(() => refresh(stage.app, first.refresh_token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('of tokens from a world file revokes the given ones too when one comes twice', async () => {
    await stage.app.load({
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
    const { body } = await refresh(stage.app, 'given-refresh');
    expect([await stage.statusOf('given-access'), await stage.statusOf(body.access_token)]).toEqual([
      200, 200,
    ]);
    expect((await refresh(stage.app, 'given-refresh')).status).toBe(400);
    expect([await stage.statusOf('given-access'), await stage.statusOf(body.access_token)]).toEqual([
      401, 401,
    ]);
  });

  test('is refused to another stage.app, which revokes nothing', async () => {
    const first = await firstTokens();
    const other = basic('testclient', 'testclientsecret');
    expect(await refresh(stage.app, first.refresh_token, other)).toMatchObject({
      status: 400,
      body: INVALID_TOKEN,
    });
    expect((await refresh(stage.app, first.refresh_token)).status).toBe(200);
  });

  test('fails after half a year without use', async () => {
    const first = await firstTokens();
    const beforeMs = stage.nowMs;
    onTestFinished(() => void (stage.nowMs = beforeMs));
    stage.nowMs += 182 * 24 * 3_600_000;
    expect(await refresh(stage.app, first.refresh_token)).toMatchObject({ status: 400, body: INVALID_TOKEN });
  });
});

describe('revoking', () => {
  beforeEach(stage.signIn);

  const revoke = (token: string | undefined, authorization?: string | null) =>
    postForm(stage.app, '/2/oauth2/revoke', { token, token_type_hint: 'refresh_token' }, authorization);

  test('an access token ends it alone', async () => {
    const { body } = await redeem(stage.app, await allow(stage.browser));
    expect(await revoke(body.access_token)).toMatchObject({ status: 200, body: { revoked: true } });
    expect(await stage.statusOf(body.access_token)).toBe(401);
    expect((await refresh(stage.app, body.refresh_token)).status).toBe(200);
  });

  test('a refresh token ends its access tokens with it, older ones too', async () => {
    const first = (await redeem(stage.app, await allow(stage.browser))).body;
    const second = (await refresh(stage.app, first.refresh_token)).body;
    expect((await revoke(second.refresh_token)).body).toEqual({ revoked: true });
    expect([await stage.statusOf(first.access_token), await stage.statusOf(second.access_token)]).toEqual([
      401, 401,
    ]);
    expect((await refresh(stage.app, second.refresh_token)).status).toBe(400);
  });

  test('fails for a token that is unknown, revoked, another app’s, or the app’s own', async () => {
    const { body } = await redeem(stage.app, await allow(stage.browser));
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
    expect((await refresh(stage.app, body.refresh_token)).status).toBe(200);
  });
});
