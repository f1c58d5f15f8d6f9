import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openNetwork, type Network } from './support/network.js';

/** Members of `POST /2/tweets` and fields of posts that the original added after 2022 (docs/api/posts.md#disclosures). */

let network: Network;
beforeAll(async () => {
  const media = ['401', '402'].map((id) => ({
    media_key: `3_${id}`,
    type: 'photo',
    url: `https://photos.example/${id}.jpg`,
    owner: 'alice',
  }));
  network = await openNetwork({ media });
});
afterAll(() => network.close());

async function fieldsOf(id: string, fields: string) {
  const { data } = (await network.app.get(`/2/tweets/${id}?tweet.fields=${fields}`)).body;
  return data;
}

test('a paid partnership is shown; a false one is not', async () => {
  const paid = await network.posted('alice', { text: 'Paid', paid_partnership: true, made_with_ai: true });
  expect((await fieldsOf(paid, 'paid_partnership')).paid_partnership).toBe(true);
  const plain = await network.posted('alice', { text: 'Not paid', paid_partnership: false });
  expect('paid_partnership' in (await fieldsOf(plain, 'paid_partnership'))).toBe(false);
});

test('members without effect here are accepted', async () => {
  const root = await network.posted('bob', 'A root');
  const reply = { in_reply_to_tweet_id: root, auto_populate_reply_metadata: true };
  const id = await network.posted('alice', { text: 'Yes', reply });
  expect((await fieldsOf(id, 'text')).text).toBe('@bob Yes');
  await network.posted('alice', {
    text: 'For supporters',
    for_super_followers_only: true,
    share_with_followers: true,
  });
});

test('title and description of media are in `media_metadata`', async () => {
  const media = {
    media_ids: ['401', '402'],
    title: 'Two herons',
    description: 'They stand.',
    embeddable: true,
  };
  const id = await network.posted('alice', { text: 'Look', media });
  expect((await fieldsOf(id, 'media_metadata')).media_metadata).toEqual([
    { media_key: '3_401', title: 'Two herons', description: 'They stand.' },
    { media_key: '3_402', title: 'Two herons', description: 'They stand.' },
  ]);
});

test.each([{ preview_media_id: '1' }, { call_to_actions: { visit_site: { url: 'https://example.com' } } }])(
  'media.%j is refused',
  async (more) => {
    const body = { text: 'x', media: { media_ids: ['1'], ...more } };
    expect((await network.as('alice').post('/2/tweets', body)).status).toBe(400);
  },
);

describe('display_text_range', () => {
  const range = async (id: string) => (await fieldsOf(id, 'display_text_range')).display_text_range;

  test('is the whole of a plain text, counted as on the wire', async () => {
    expect(await range(await network.posted('alice', 'a & 🐦'))).toEqual([0, 9]);
  });

  test('begins after the handles of a reply', async () => {
    const root = await network.posted('bob', 'Hello @carol');
    const reply = { in_reply_to_tweet_id: root };
    const id = await network.posted('alice', { text: 'Hello @dave', reply });
    expect((await fieldsOf(id, 'text')).text).toBe('@bob @carol Hello @dave');
    expect(await range(id)).toEqual([12, 23]);
    expect(await range(await network.posted('alice', { text: '@bob', reply }))).toEqual([4, 4]);
  });

  test('ends before the link of the quoted post', async () => {
    const quoted = await network.posted('bob', 'Quote me');
    expect(await range(await network.posted('alice', { text: 'See this', quote_tweet_id: quoted }))).toEqual([
      0, 8,
    ]);
  });
});

test('media analytics return the views of own media only', async () => {
  const query =
    'start_time=2022-10-01T00:00:00Z&end_time=2022-10-02T00:00:00Z&media_analytics.fields=video_views';
  const get = (name: 'alice' | 'bob', keys: string) =>
    network.as(name).get(`/2/media/analytics?media_keys=${keys}&${query}`);
  expect((await get('alice', '3_401')).body).toEqual({ data: [{ media_key: '3_401' }] });
  expect((await get('bob', '3_401,3_499')).body.errors).toMatchObject([
    { title: 'Not Found Error', resource_id: '3_401' },
    { title: 'Not Found Error', resource_id: '3_499' },
  ]);
  const backwards = query.replace('2022-10-02', '2022-09-02');
  const { status } = await network.as('alice').get(`/2/media/analytics?media_keys=3_401&${backwards}`);
  expect(status).toBe(400);
});
