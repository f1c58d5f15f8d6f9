import { afterAll, describe, expect, it } from 'vitest';
import { inject, type InjectedAnswer, type InjectedRequest } from '../support/inject.js';
import { NOW_MS, OWN_ID, as, buildFakeApp } from './fake-catalogue.js';
import { PERMISSION_MISSING } from './support/errors.js';

const { app, logged } = buildFakeApp({ limits: 'off' });
afterAll(() => app.close());

const get = (url: string, who = 'app'): Promise<InjectedAnswer> =>
  inject(app, { method: 'GET', url, headers: as(who) });

const post = (payload: InjectedRequest['payload'], who = 'user'): Promise<InjectedAnswer> =>
  inject(app, { method: 'POST', url: '/2/things', headers: as(who), payload });

const remove = (thing: string, who = 'user', owner = OWN_ID): Promise<InjectedAnswer> =>
  inject(app, { method: 'DELETE', url: `/2/users/${owner}/things/${thing}`, headers: as(who) });

describe('the order of checks', () => {
  it('401 precedes everything', async () => {
    const answer = await inject(app, { method: 'GET', url: '/2/things?foo=1' });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({
      title: 'Unauthorized',
      detail: 'Unauthorized',
      type: 'about:blank',
      status: 401,
    });
    expect(answer.headers['x-access-level']).toBe('read');
    expect(answer.headers['x-rate-limit-remaining']).toBe(answer.headers['x-rate-limit-limit']);
    expect(answer.headers['x-rate-limit-limit']).toBeDefined();
  });

  it('403 for app-only credentials on a user endpoint is a problem document that names the supported types', async () => {
    const answer = await post('{', 'app');
    expect(answer.statusCode).toBe(403);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json()).toEqual({
      title: 'Unsupported Authentication',
      detail:
        'Authenticating with OAuth 2.0 Application-Only is forbidden for this endpoint.  Supported authentication types are [OAuth 1.0a User Context, OAuth 2.0 User Context].',
      type: 'https://api.twitter.com/2/problems/unsupported-authentication',
      status: 403,
    });
  });

  it.each([
    ['signed', 'OAuth 1.0a User Context'],
    ['user', 'OAuth 2.0 User Context'],
  ])('403 for %s credentials on an app-only endpoint', async (who, name) => {
    const answer = await get('/2/things?foo=1', who);
    expect(answer.json<{ detail: string }>().detail).toBe(
      `Authenticating with ${name} is forbidden for this endpoint.  Supported authentication types are [OAuth 2.0 Application-Only].`,
    );
  });

  it('403 for an app outside the research track precedes parameters', async () => {
    const answer = await get('/2/archive?foo=1', 'standard-app');
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({
      title: 'Client Forbidden',
      type: 'https://api.twitter.com/2/problems/client-forbidden',
      client_id: 'client-1',
    });
    expect((await get('/2/archive')).statusCode).toBe(200);
  });

  it('403 for a missing scope precedes the body', async () => {
    const answer = await post('{', 'reader');
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual({
      title: 'Forbidden',
      detail: 'Forbidden',
      type: 'about:blank',
      status: 403,
    });
  });

  it('403 is returned to an OAuth 1.0a token without the permission', async () => {
    const answer = await post('{', 'signed-reader');
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({
      detail:
        'Your client app is not configured with the appropriate oauth1 app permissions for this endpoint.',
      type: 'https://api.twitter.com/2/problems/oauth1-permissions',
    });
  });

  it('403 is returned to an OAuth 2.0 token of a read-only app (docs/api/authentication.md#permissions)', async () => {
    const answer = await post('{', 'user-of-reading-app');
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual(PERMISSION_MISSING);
  });

  it('429 follows 403 and precedes 400, with the time to wait', async () => {
    const limited = buildFakeApp().app;
    const send = (who: string) => inject(limited, { method: 'GET', url: '/2/archive?x=1', headers: as(who) });
    for (let count = 0; count < 30; count += 1) expect((await send('app')).statusCode).toBe(400);
    const answer = await send('app');
    expect(answer.statusCode).toBe(429);
    expect(answer.json()).toMatchObject({ title: 'Too Many Requests', type: 'about:blank', status: 429 });
    expect(answer.headers).toMatchObject({
      'x-rate-limit-limit': '30',
      'x-rate-limit-remaining': '0',
      'x-rate-limit-reset': String(NOW_MS / 1000 + 900),
      'retry-after': '900',
    });
    expect((await send('user')).statusCode).toBe(403);
    await limited.close();
  });

  it('429 carries the rest of the window in retry-after', async () => {
    const startMs = NOW_MS + 250;
    const time = { nowMs: startMs };
    const limited = buildFakeApp({ clock: () => time.nowMs }).app;
    const send = () => inject(limited, { method: 'GET', url: '/2/archive', headers: as('app') });
    for (let count = 0; count < 30; count += 1) await send();
    const waits: unknown[] = [];
    for (const elapsedMs of [0, 1, 400, 899_001, 899_999]) {
      time.nowMs = startMs + elapsedMs;
      waits.push((await send()).headers['retry-after']);
    }
    expect(waits).toEqual(['900', '900', '900', '1', '1']);
    await limited.close();
  });

  it('400 for parameters precedes 400 for another account', async () => {
    const answer = await remove('abc', 'user', '8');
    expect(messagesOf(answer)).toEqual(['The `thing_id` query parameter value [abc] is not valid']);
  });

  it('400 for another account repeats the id as sent', async () => {
    expect(messagesOf(await remove('1', 'user', '008'))).toEqual([
      'The `id` query parameter value [008] must be the same as the authenticating user [7]',
    ]);
    expect((await remove('1', 'user', `00${OWN_ID}`)).statusCode).toBe(200);
  });

  it('400 for another account precedes the handler', async () => {
    const answer = await remove('403', 'user', '8');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      errors: [
        {
          parameters: { id: ['8'] },
          message: 'The `id` query parameter value [8] must be the same as the authenticating user [7]',
        },
      ],
      title: 'Invalid Request',
      detail: 'One or more parameters to your request was invalid.',
      type: 'https://api.twitter.com/2/problems/invalid-request',
    });
  });

  it('the usage cap counts returned posts and ends with 429', async () => {
    const capped = buildFakeApp({ capLeft: 3 });
    const send = () => inject(capped.app, { method: 'GET', url: '/2/things?ids=1,2', headers: as('app') });
    expect((await send()).statusCode).toBe(200);
    expect((await send()).statusCode).toBe(200);
    expect(capped.cappedIds).toEqual(['1', '2', '1', '2']);
    const answer = await send();
    expect(answer.statusCode).toBe(429);
    expect(answer.json()).toMatchObject({ title: 'UsageCapExceeded', period: 'Monthly', account_id: '1' });
    await capped.app.close();
  });
});

function messagesOf(answer: InjectedAnswer): string[] {
  expect(answer.statusCode).toBe(400);
  return answer.json<{ errors: { message: string }[] }>().errors.map((error) => error.message);
}

describe('responses', () => {
  it('carry the documented headers', async () => {
    const { headers } = await get('/2/things/1');
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'api-version': '2.52',
      'x-access-level': 'read',
      'x-rate-limit-limit': '300',
      'cache-control': 'no-cache, no-store, max-age=0',
    });
    expect(headers['x-transaction-id']).toMatch(/^[0-9a-f]{16}$/);
    expect(headers['x-response-time']).toMatch(/^\d+$/);
    expect(Number(headers['x-rate-limit-reset'])).toBe(NOW_MS / 1000 + 900);
  });

  it('carry them with errors', async () => {
    const { statusCode, headers } = await post({}, 'reader');
    expect(statusCode).toBe(403);
    expect(headers).toMatchObject({ 'x-access-level': 'read', 'x-rate-limit-limit': '50' });
  });

  it.each([
    ['app', 'read'],
    ['reader', 'read'],
    ['user-of-reading-app', 'read'],
    ['user', 'read-write'],
    ['signed', 'read-write'],
    ['signed-reader', 'read'],
  ])('carry the access level of %s', async (who, level) => {
    expect((await get('/2/things/1', who)).headers['x-access-level']).toBe(level);
  });

  it('to HEAD equal those to GET without the body', async () => {
    const answer = await inject(app, { method: 'HEAD', url: '/2/things/1', headers: as('app') });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('');
    expect(answer.headers['content-length']).toBe(String((await get('/2/things/1')).body.length));
  });

  it('to refused actions have the documented messages', async () => {
    expect((await remove('403')).json()).toEqual({
      title: 'Forbidden',
      detail: 'You are not authorized to delete this Tweet.',
      type: 'about:blank',
      status: 403,
    });
    expect((await remove('404')).json()).toEqual({
      title: 'Not Found Error',
      detail: 'Could not find tweet with thing_id: [404].',
      type: 'https://api.twitter.com/2/problems/resource-not-found',
      status: 404,
      resource_type: 'tweet',
      parameter: 'thing_id',
      value: '404',
      resource_id: '404',
    });
    expect((await remove('409')).json()).toMatchObject({
      title: 'Conflict',
      detail: 'Already running.',
      status: 409,
    });
  });
});

describe('unknown routes', () => {
  it.each([
    '/',
    '/2',
    '/2/nope',
    '/2/things/',
    '/2/things/1/',
    '//2/things',
    '/2/THINGS',
    '/2/users//things/1',
  ])('%s returns 404', async (url) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      title: 'Not Found',
      detail: 'Not Found',
      type: 'about:blank',
      status: 404,
    });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)(
    '%s returns 405 where only GET exists',
    async (method) => {
      const answer = await inject(app, { method, url: '/2/things/1?x=%ff', payload: '{' });
      expect(answer.statusCode).toBe(405);
      expect(answer.headers['allow']).toBe('GET, HEAD');
      expect(answer.json()).toMatchObject({ title: 'Method Not Allowed', type: 'about:blank' });
    },
  );

  it('405 lists all methods of the path', async () => {
    const answer = await inject(app, { method: 'PUT', url: '/2/things' });
    expect(answer.headers['allow']).toBe('GET, HEAD, POST');
  });

  it('under /1.1/ return the version 1.1 error format', async () => {
    const answer = await get('/1.1/statuses/show.json');
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ errors: [{ code: 34, message: 'Sorry, that page does not exist.' }] });
  });

  it.each(['essential-app', 'essential-user'])(
    'under /1.1/ return 403 to the %s, whatever the method (docs/api/authentication.md#levels-and-tracks)',
    async (who) => {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        const answer = await inject(app, { method, url: '/1.1/statuses/show.json?id=1', headers: as(who) });
        expect(answer.statusCode).toBe(403);
        expect(answer.json()).toEqual({
          errors: [
            {
              code: 453,
              message:
                "You currently have Essential access which includes access to Twitter API v2 endpoints only. If you need access to this endpoint, you'll need to apply for Elevated access via the Developer Portal.",
            },
          ],
        });
      }
    },
  );

  it('under /1.1/ require credentials first', async () => {
    for (const headers of [{}, as('nobody')]) {
      const answer = await inject(app, { method: 'GET', url: '/1.1/statuses/show.json', headers });
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toEqual({ errors: [{ code: 32, message: 'Could not authenticate you.' }] });
    }
  });
});

describe('v1.1 endpoints', () => {
  const send = (who: string, url = '/1.1/media/upload.json', payload = 'abc') =>
    inject(app, {
      method: 'POST',
      url,
      headers: { ...as(who), 'content-type': 'multipart/form-data' },
      payload,
    });

  it('receive the raw body and query', async () => {
    const answer = await send('signed', '/1.1/media/upload.json?a=1&a=2');
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toEqual({ size: 3, type: 'multipart/form-data' });
    const appended = await send('signed', '/1.1/media/upload.json?command=APPEND');
    expect([appended.statusCode, appended.body]).toEqual([204, '']);
    expect(appended.headers).not.toHaveProperty('content-type');
  });

  it('fail in the version 1.1 format', async () => {
    expect((await send('nobody')).json()).toEqual({
      errors: [{ code: 32, message: 'Could not authenticate you.' }],
    });
    expect((await send('signed', undefined, 'x'.repeat(1025))).statusCode).toBe(413);
    expect((await send('app')).json()).toMatchObject({ errors: [{ code: 220 }] });
  });
});

describe('server errors', () => {
  it('are logged once and disclose nothing', async () => {
    const answer = await get('/2/broken?how=TypeError');
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ title: 'Internal Server Error', status: 500 });
    expect(answer.body).not.toContain('secrets');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({
      message: 'request failed',
      fields: { operation: 'breakThing', requestId: answer.headers['x-transaction-id'] },
    });
  });

  it('of the storage return 503 with retry-after', async () => {
    const answer = await get('/2/broken?how=StorageUnavailable');
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
  });
});

describe('plain routes', () => {
  it('return text, headers and wildcards', async () => {
    const answer = await inject(app, { method: 'GET', url: '/assets/css/a.css' });
    expect(answer.body).toBe('file css/a.css');
    expect(answer.headers['content-type']).toBe('text/plain');
  });

  it('receive bodies and can repeat a header', async () => {
    const answer = await inject(app, { method: 'POST', url: '/sign-in', payload: 'a=b' });
    expect(answer.statusCode).toBe(303);
    expect(answer.body).toBe('a=b');
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  });
});

describe('the documents of the catalogue', () => {
  it('are public', async () => {
    const answer = await inject(app, { method: 'GET', url: '/2/openapi.json' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json<{ paths: object }>().paths).toHaveProperty(
      ['/2/things/{id}', 'get', 'operationId'],
      'getThing',
    );
    expect(answer.json<{ paths: object }>().paths).toHaveProperty(['/2/openapi.json']);
  });
});
