import { describe, expect, test } from 'vitest';
import { INVALID_REQUEST, invalidRequest, notFound, suspended } from './support/errors.js';
import { ID, startNetwork, type Name } from './support/network.js';

/**
 * Reading users by id, ids, username and usernames, and /2/users/me (docs/api/limits.md#sizes,
 * docs/api/limits.md#rate-limits).
 */

const user = (name: Name): object => ({ id: ID[name], name: `${name} the bird`, username: name });

describe('one user', () => {
  test('by id has the default fields only', async () => {
    const { app } = await startNetwork();
    const { status, body } = await app.get(`/2/users/${ID.alice}`);
    expect(status).toBe(200);
    expect(body).toEqual({ data: user('alice') });
  });

  test('by username, in any case, returns the stored spelling', async () => {
    const { app } = await startNetwork({ users: [{ username: 'Grace_H', id: '99', name: 'Grace' }] });
    for (const spelling of ['Grace_H', 'grace_h', 'GRACE_H']) {
      const { status, body } = await app.get(`/2/users/by/username/${spelling}`);
      expect(status).toBe(200);
      expect(body).toEqual({ data: { id: '99', name: 'Grace', username: 'Grace_H' } });
    }
  });

  test('that does not exist returns 200 with an error and no data', async () => {
    const { app } = await startNetwork();
    const byId = await app.get('/2/users/404');
    expect([byId.status, byId.body]).toEqual([200, { errors: [notFound('user', 'id', '404')] }]);
    const byName = await app.get('/2/users/by/username/nobody');
    expect([byName.status, byName.body]).toEqual([200, { errors: [notFound('user', 'username', 'nobody')] }]);
  });

  test('that is suspended returns 200 with an error', async () => {
    const { app, as, suspend } = await startNetwork();
    await suspend('bob');
    for (const caller of [app, as('alice')]) {
      const byId = await caller.get(`/2/users/${ID.bob}`);
      expect([byId.status, byId.body]).toEqual([200, { errors: [suspended('id', ID.bob)] }]);
      const byName = await caller.get('/2/users/by/username/bob');
      expect(byName.body).toEqual({ errors: [suspended('username', 'bob')] });
    }
  });

  test.each(['abc', '-1', '12345678901234567890'])('by the id %s returns 400', async (id) => {
    const { app } = await startNetwork();
    const { status, body } = await app.get(`/2/users/${id}`);
    expect(status).toBe(400);
    expect(body).toEqual(
      invalidRequest([{ id: [id] }, `The \`id\` query parameter value [${id}] is not valid`]),
    );
  });

  test.each(['a-b', 'sixteen_letters_', '@alice', 'ä'])('by the username %s returns 400', async (name) => {
    const { app } = await startNetwork();
    const { status, body } = await app.get(`/2/users/by/username/${encodeURIComponent(name)}`);
    expect(status).toBe(400);
    expect(body).toEqual(
      invalidRequest([
        { username: [name] },
        `The \`username\` query parameter value [${name}] does not match ^[A-Za-z0-9_]{1,15}$`,
      ]),
    );
  });
});

describe('users by ids', () => {
  test('are returned in the requested order, once each, with errors for missing and suspended ones', async () => {
    const { app, suspend } = await startNetwork();
    await suspend('dave');
    const ids = [ID.carol, '404', ID.alice, ID.carol, ID.dave, '404'].join(',');
    const { status, body } = await app.get(`/2/users?ids=${ids}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [user('carol'), user('alice')],
      errors: [notFound('user', 'ids', '404'), suspended('ids', ID.dave)],
    });
  });

  test('return errors only when none exists', async () => {
    const { app } = await startNetwork();
    const { status, body } = await app.get('/2/users?ids=404');
    expect([status, body]).toEqual([200, { errors: [notFound('user', 'ids', '404')] }]);
  });

  test('are limited to 100', async () => {
    const { app } = await startNetwork();
    const ids = (count: number): string => Array.from({ length: count }, (_, n) => String(n + 1)).join(',');
    expect((await app.get(`/2/users?ids=${ids(100)}`)).status).toBe(200);
    const more = await app.get(`/2/users?ids=${ids(101)}`);
    expect(more.status).toBe(400);
    expect(more.body.errors[0].message).toBe(
      'The `ids` query parameter value length [101] is not between 1 and 100',
    );
  });
});

describe('users by usernames', () => {
  test('are returned in the requested order, once each, in any case', async () => {
    const { app, suspend } = await startNetwork();
    await suspend('dave');
    const { status, body } = await app.get('/2/users/by?usernames=Carol,nobody,alice,carol,ALICE,dave');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [user('carol'), user('alice')],
      errors: [notFound('user', 'usernames', 'nobody'), suspended('usernames', 'dave')],
    });
  });

  test('must each match the pattern', async () => {
    const { app } = await startNetwork();
    const { status, body } = await app.get('/2/users/by?usernames=alice,a-b');
    expect(status).toBe(400);
    expect(body).toEqual(
      invalidRequest([
        { usernames: ['alice,a-b'] },
        'The `usernames` query parameter value [a-b] does not match ^[A-Za-z0-9_]{1,15}$',
      ]),
    );
  });

  test('are limited to 100', async () => {
    const { app } = await startNetwork();
    const names = (count: number): string => Array.from({ length: count }, (_, n) => `u${n}`).join(',');
    expect((await app.get(`/2/users/by?usernames=${names(100)}`)).status).toBe(200);
    expect((await app.get(`/2/users/by?usernames=${names(101)}`)).status).toBe(400);
  });
});

describe('reading several users', () => {
  test.each(['/2/users', '/2/users/by'])('%s requires exactly one of ids and usernames', async (path) => {
    const { app } = await startNetwork();
    const message = 'Exactly one of `ids` or `usernames` is required';
    for (const query of ['', `?ids=${ID.alice}&usernames=bob`, '?user.fields=verified']) {
      const { status, body } = await app.get(path + query);
      expect(status).toBe(400);
      expect(body).toMatchObject(INVALID_REQUEST);
      expect(body.errors.map((error: { message: string }) => error.message)).toEqual([message]);
    }
  });

  test('refuses an empty list', async () => {
    const { app } = await startNetwork();
    for (const path of ['/2/users?ids=', '/2/users/by?usernames=', '/2/users?ids=11,,12']) {
      expect((await app.get(path)).status).toBe(400);
    }
  });

  test('refuses unknown parameters', async () => {
    const { app } = await startNetwork();
    const { status, body } = await app.get(`/2/users?ids=${ID.alice}&media.fields=url`);
    expect(status).toBe(400);
    expect(body.errors[0].message).toMatch(/^The query parameter \[media.fields\] is not one of \[/);
  });
});

describe('/2/users/me', () => {
  test('returns the user of the token', async () => {
    const { as } = await startNetwork();
    for (const name of ['alice', 'bob'] as const) {
      const { status, body } = await as(name).get('/2/users/me');
      expect(status).toBe(200);
      expect(body).toEqual({ data: user(name) });
    }
  });

  test('accepts fields and expansions', async () => {
    const { as } = await startNetwork();
    const { body } = await as('alice').get('/2/users/me?user.fields=verified&expansions=pinned_tweet_id');
    expect(body).toEqual({ data: { ...user('alice'), verified: false } });
  });

  test('refuses app-only credentials', async () => {
    const { app } = await startNetwork();
    const { status, body } = await app.get('/2/users/me');
    expect(status).toBe(403);
    expect(body.title).toBe('Unsupported Authentication');
  });
});
