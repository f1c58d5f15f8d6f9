import { expect, test } from 'vitest';
import type { TestAnswer } from '../../support/app.js';
import { ID, postId, PUBLIC_URL, startNetwork, type Caller } from '../support/network.js';

/** Posts of v1.1 (docs/api/v1.md#posts). */

const UPDATE = '/1.1/statuses/update.json';
const form = (values: Readonly<Record<string, string>>): string => String(new URLSearchParams(values));
const update = (caller: Caller, values: Readonly<Record<string, string>>) =>
  caller.post(UPDATE, form(values));

const world = {
  posts: [
    { id: postId(1), author: 'bob', text: 'A pond' },
    { id: postId(2), author: 'alice', text: 'My own pond' },
  ],
};

test('a form creates a post, and so does a query', async () => {
  const { signed, app } = await startNetwork();
  const created = await update(signed('alice'), {
    status: 'Caf\u00e9 & pond + 100%',
    include_entities: 'true',
  });
  expect([created.status, created.body]).toEqual([
    200,
    expect.objectContaining({ text: 'Caf\u00e9 &amp; pond + 100%', truncated: false, favorited: false }),
  ]);
  expect(created.body.user).toMatchObject({ screen_name: 'alice', id_str: ID.alice });
  const { body } = await app.get(`/2/tweets/${created.body.id_str}`);
  expect(body.data.text).toBe('Caf\u00e9 &amp; pond + 100%');
  const url = `${UPDATE}?${form({ status: 'From a query', trim_user: 't' }).replaceAll('+', '%20')}`;
  const second = await signed('alice').post(url, undefined);
  expect(second.body).toMatchObject({ text: 'From a query', user: { id_str: ID.alice } });
  expect(second.body.user.screen_name).toBeUndefined();
});

test('a reply needs the handle of the author, or asks for it', async () => {
  const { signed } = await startNetwork(world);
  const alice = signed('alice');
  const parent = { in_reply_to_status_id: postId(1) };
  const plain = await update(alice, { ...parent, status: 'No handle' });
  expect(plain.body.in_reply_to_status_id_str).toBeNull();
  const within = await update(alice, { ...parent, status: 'So says @BOB here' });
  expect(within.body).toMatchObject({ in_reply_to_status_id_str: postId(1), text: 'So says @BOB here' });
  const added = await update(alice, { ...parent, status: 'Yes', auto_populate_reply_metadata: 'true' });
  expect(added.body).toMatchObject({ in_reply_to_screen_name: 'bob', text: '@bob Yes' });
  const own = await update(alice, { in_reply_to_status_id: postId(2), status: 'And more' });
  expect(own.body).toMatchObject({ in_reply_to_status_id_str: postId(2), text: 'And more' });
});

test('attachment_url quotes a post', async () => {
  const { signed } = await startNetwork(world);
  const quote = await update(signed('alice'), {
    status: 'Look',
    attachment_url: `${PUBLIC_URL}/bob/status/${postId(1)}`,
    tweet_mode: 'extended',
  });
  expect(quote.body).toMatchObject({ is_quote_status: true, quoted_status: { full_text: 'A pond' } });
  const refused = await update(signed('alice'), { status: 'Look', attachment_url: 'https://example.com' });
  expect([refused.status, refused.body.errors[0].code]).toEqual([400, 44]);
});

test('refusals have the numbers of v1.1 (docs/api/v1.md#errors)', async () => {
  const { signed, app } = await startNetwork(world);
  const alice = signed('alice');
  await update(alice, { status: 'Twice' });
  const refusals: [() => Promise<TestAnswer>, number, number][] = [
    [() => update(alice, { status: 'Twice' }), 403, 187],
    [() => update(alice, { status: 'x'.repeat(281) }), 403, 186],
    [() => update(alice, {}), 403, 170],
    [() => update(alice, { status: 'Hm', in_reply_to_status_id: '7' }), 403, 385],
    [() => update(alice, { status: 'Hm', media_ids: '7,8' }), 400, 324],
    [() => alice.post(`/1.1/statuses/destroy/${postId(1)}.json`, ''), 403, 183],
    [() => alice.post('/1.1/statuses/destroy/7.json', ''), 404, 144],
    [() => app.get('/1.1/statuses/show.json?id=7'), 404, 144],
    [() => app.get('/1.1/statuses/show.json?id=abc'), 404, 144],
    [() => app.get('/1.1/statuses/show.json'), 404, 144],
    [() => app.post(UPDATE, ''), 403, 220],
  ];
  for (const [send, status, code] of refusals) {
    const answer = await send();
    expect([answer.status, answer.body.errors[0].code]).toEqual([status, code]);
  }
});

test('a hidden post is refused: protected 179, suspended 63', async () => {
  const network = await startNetwork({ ...world, users: [{ username: 'bob', protected: true }] });
  const url = `/1.1/statuses/show.json?id=${postId(1)}`;
  for (const caller of [network.app, network.signed('alice')]) {
    const { status, body } = await caller.get(url);
    expect([status, body.errors[0].code]).toEqual([403, 179]);
  }
  await network.suspend('bob');
  const { status, body } = await network.app.get(url);
  expect([status, body.errors[0].code]).toEqual([403, 63]);
});

test('destroy deletes a post and returns it', async () => {
  const { signed, app } = await startNetwork(world);
  const { status, body } = await signed('alice').post(`/1.1/statuses/destroy/${postId(2)}.json`, '');
  expect([status, body.text]).toEqual([200, 'My own pond']);
  expect((await app.get(`/1.1/statuses/show/${postId(2)}.json`)).status).toBe(404);
});

test('show has the form that is asked for', async () => {
  const text = `${'A long text about ponds. '.repeat(7)}https://example.com/pond`;
  const { app } = await startNetwork({ posts: [{ id: postId(1), author: 'bob', text }] });
  const url = `/1.1/statuses/show/${postId(1)}.json`;
  const { body: cut } = await app.get(url);
  expect(cut).toMatchObject({ truncated: true, text: expect.stringMatching(/… http/) });
  const { body: whole } = await app.get(`${url}?tweet_mode=extended`);
  expect(whole).toMatchObject({ truncated: false, full_text: text, display_text_range: [0, text.length] });
  expect(whole.entities.urls).toHaveLength(1);
  const { body: bare } = await app.get(`${url}?tweet_mode=extended&include_entities=0&trim_user=1`);
  expect([bare.entities, bare.user]).toEqual([undefined, { id: Number(ID.bob), id_str: ID.bob }]);
});
