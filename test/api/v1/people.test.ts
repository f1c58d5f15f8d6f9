import { expect, test } from 'vitest';
import type { TestAnswer } from '../../support/app.js';
import { ID, postId, startNetwork, type Caller } from '../support/network.js';

/** Users, follows, likes and places of v1.1 (docs/api/v1.md). */

const refusalOf = async (answer: Promise<TestAnswer>) => {
  const { status, body } = await answer;
  return [status, body.errors?.[0].code];
};

test('users/show and users/lookup name users by id and by username in any case', async () => {
  const network = await startNetwork({ follows: [{ from: 'alice', to: 'bob' }] });
  const shown = await network.signed('alice').get('/1.1/users/show.json?screen_name=BOB');
  expect(shown.body).toMatchObject({ id: 12, screen_name: 'bob', following: true, followers_count: 1 });
  const { body } = await network.app.get(
    `/1.1/users/lookup.json?user_id=${ID.carol},5&screen_name=bob,nobody,@bob`,
  );
  expect(body.map(({ id_str }: { id_str: string }) => id_str)).toEqual([ID.carol, ID.bob]);
  const posted = await network.signed('alice').post('/1.1/users/lookup.json', 'screen_name=bob');
  expect(posted.body).toHaveLength(1);
});

test('missing, suspended and too many users are refused', async () => {
  const network = await startNetwork();
  await network.suspend('bob');
  const { app } = network;
  expect(await refusalOf(app.get('/1.1/users/show.json?screen_name=nobody'))).toEqual([404, 50]);
  expect(await refusalOf(app.get('/1.1/users/show.json?user_id=x'))).toEqual([400, 25]);
  expect(await refusalOf(app.get('/1.1/users/show.json?screen_name=bob'))).toEqual([403, 63]);
  expect(await refusalOf(app.get('/1.1/users/lookup.json?screen_name=bob,nobody'))).toEqual([404, 17]);
  expect(await refusalOf(app.get('/1.1/users/lookup.json'))).toEqual([400, 25]);
  const many = Array.from({ length: 101 }, (_, n) => n).join();
  expect(await refusalOf(app.get(`/1.1/users/lookup.json?user_id=${many}`))).toEqual([403, 18]);
});

test('friendships/create follows and destroy unfollows', async () => {
  const { signed, app } = await startNetwork({ users: [{ username: 'carol', protected: true }] });
  const send = (verb: string, form: string, caller: Caller = signed('alice')) =>
    caller.post(`/1.1/friendships/${verb}.json`, form);
  const followed = await send('create', 'screen_name=bob&follow=true');
  expect([followed.status, followed.body.following]).toEqual([200, true]);
  expect((await app.get('/1.1/followers/ids.json?screen_name=bob')).body.ids).toEqual([11]);
  expect((await send('create', 'user_id=12')).status).toBe(200);
  expect((await send('destroy', 'user_id=12')).body.following).toBe(false);
  expect((await send('create', 'screen_name=carol')).body).toMatchObject({ follow_request_sent: true });
  expect(await refusalOf(send('create', 'screen_name=carol'))).toEqual([403, 160]);
  expect(await refusalOf(send('create', 'screen_name=alice'))).toEqual([403, 158]);
  expect(await refusalOf(send('create', 'screen_name=nobody'))).toEqual([403, 108]);
  expect(await refusalOf(send('destroy', 'screen_name=nobody'))).toEqual([404, 108]);
});

test('a block refuses a follow with 162 and a like with 136', async () => {
  const { signed } = await startNetwork({
    blocks: [{ from: 'alice', to: 'bob' }],
    posts: [{ id: postId(1), author: 'bob', text: 'A pond' }],
  });
  expect(await refusalOf(signed('alice').post('/1.1/friendships/create.json', 'user_id=12'))).toEqual([
    403, 162,
  ]);
  expect(await refusalOf(signed('alice').post('/1.1/favorites/create.json', `id=${postId(1)}`))).toEqual([
    403, 136,
  ]);
});

test('favorites are created once and destroyed once', async () => {
  const { signed } = await startNetwork({ posts: [{ id: postId(1), author: 'bob', text: 'A pond' }] });
  const send = (verb: string, id = postId(1)) =>
    signed('alice').post(`/1.1/favorites/${verb}.json`, `id=${id}`);
  expect((await send('create')).body).toMatchObject({ favorited: true, favorite_count: 1 });
  expect(await refusalOf(send('create'))).toEqual([403, 139]);
  expect((await send('destroy')).body).toMatchObject({ favorited: false, favorite_count: 0 });
  expect(await refusalOf(send('destroy'))).toEqual([404, 144]);
  expect(await refusalOf(send('create', '7'))).toEqual([404, 144]);
});

test('geo/search finds places by name and by point, smallest first', async () => {
  const place = (id: string, name: string, type: string, bbox: readonly number[]) => ({
    id,
    full_name: name,
    name,
    country: 'Country',
    country_code: 'US',
    place_type: type,
    bbox,
  });
  const { signed } = await startNetwork({
    places: [
      place('aa', 'Manhattan, NY', 'city', [-74.1, 40.6, -73.9, 40.9]),
      place('bb', 'New York, USA', 'admin', [-79.8, 40.4, -71.8, 45.1]),
      place('cc', 'Paris, France', 'city', [2.2, 48.8, 2.5, 48.9]),
    ],
  });
  const found = async (query: string) => {
    const { body } = await signed('alice').get(`/1.1/geo/search.json?${query}`);
    return body.result.places.map(({ id }: { id: string }) => id);
  };
  expect(await found('query=MANHATTAN')).toEqual(['aa']);
  expect(await found('lat=40.7&long=-74')).toEqual(['aa', 'bb']);
  expect(await found('lat=40.7&long=-74&granularity=admin')).toEqual(['bb']);
  expect(await found('lat=40.7&long=-74&max_results=1')).toEqual(['aa']);
  expect(await refusalOf(signed('alice').get('/1.1/geo/search.json'))).toEqual([400, 12]);
});
