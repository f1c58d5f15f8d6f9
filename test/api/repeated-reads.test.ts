import { describe, expect, it } from 'vitest';
import { ID, MINUTE_MS, startNetwork } from './support/network.js';

/** Presented posts are cached between reads; members that can change are not. */
describe('a repeated read of a post', () => {
  it('returns current counts, edit controls and fields', async () => {
    const network = await startNetwork({});
    const id = await network.posted('bob', 'a & b <c>');
    const fields = 'tweet.fields=public_metrics,edit_controls,lang';
    const read = async (query: string) =>
      (await network.as('alice').get(`/2/tweets/${id}?${query}`)).body.data;
    const before = await read(fields);
    expect(before).toMatchObject({
      text: 'a &amp; b &lt;c&gt;',
      public_metrics: { like_count: 0 },
      edit_controls: { is_edit_eligible: true },
    });
    await network.as('alice').post(`/2/users/${ID.alice}/likes`, { tweet_id: id });
    const liked = { ...before, public_metrics: { ...before.public_metrics, like_count: 1 } };
    expect([await read(fields), await read(fields)]).toEqual([liked, liked]);
    await network.advance(31 * MINUTE_MS);
    const late = { ...liked, edit_controls: { ...before.edit_controls, is_edit_eligible: false } };
    expect(await read(fields)).toEqual(late);
    expect(await read(fields)).toEqual(late);
    expect(await read('')).toEqual({ id, text: before.text, edit_history_tweet_ids: [id] });
    expect(await read('tweet.fields=lang')).toEqual({
      id,
      text: before.text,
      edit_history_tweet_ids: [id],
      lang: before.lang,
    });
  });

  it('returns private metrics to the author only, whoever read it before', async () => {
    const network = await startNetwork({});
    const id = await network.posted('bob', 'mine');
    const path = `/2/tweets/${id}?tweet.fields=non_public_metrics`;
    for (let turn = 1; turn <= 2; turn += 1) {
      expect((await network.as('bob').get(path)).body.data.non_public_metrics).toEqual({
        impression_count: 0,
      });
      const answer = await network.as('alice').get(path);
      expect(answer.body.data).toBeUndefined();
      expect(answer.body.errors[0].field).toBe('non_public_metrics.impression_count');
    }
  });

  it('returns the connection_status of the current viewer', async () => {
    const network = await startNetwork({ follows: [{ from: 'alice', to: 'bob' }] });
    const id = await network.posted('bob', 'mine');
    const query = 'expansions=author_id&user.fields=connection_status,public_metrics';
    const author = async (viewer: 'alice' | 'carol') =>
      (await network.as(viewer).get(`/2/tweets/${id}?${query}`)).body.includes.users[0];
    expect(await author('alice')).toMatchObject({
      connection_status: ['following'],
      public_metrics: { followers_count: 1 },
    });
    expect(await author('carol')).not.toHaveProperty('connection_status');
    await network.as('alice').delete(`/2/users/${ID.alice}/following/${ID.bob}`);
    const after = await author('alice');
    expect(after).not.toHaveProperty('connection_status');
    expect(after.public_metrics.followers_count).toBe(0);
  });
});

/** A post keeps its part of pages, and viewers with the same rights share it. */
describe('pages with a post that refers to others', () => {
  const QUERY =
    'expansions=author_id,referenced_tweets.id&tweet.fields=public_metrics&user.fields=public_metrics';

  it('shows each viewer what that viewer may see, whoever read before', async () => {
    const network = await startNetwork({ blocks: [{ from: 'carol', to: 'dave' }] });
    const quoted = await network.posted('carol', 'quoted');
    const { body: posted } = await network
      .as('bob')
      .post('/2/tweets', { text: 'look', quote_tweet_id: quoted });
    const included = async (viewer: 'alice' | 'dave' | 'erin') => {
      const { body } = await network.as(viewer).get(`/2/users/${ID.bob}/tweets?${QUERY}`);
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual([posted.data.id]);
      return (body.includes.tweets ?? []).map(({ id }: { id: string }) => id);
    };
    for (let turn = 1; turn <= 3; turn += 1) {
      expect(await included('dave')).toEqual([]);
      expect(await included('alice')).toEqual([quoted]);
      expect(await included('erin')).toEqual([quoted]);
    }
    await network.as('carol').post(`/2/users/${ID.carol}/blocking`, { target_user_id: ID.erin });
    expect([await included('erin'), await included('alice')]).toEqual([[], [quoted]]);
    await network.as('carol').delete(`/2/tweets/${quoted}`);
    expect([await included('erin'), await included('alice')]).toEqual([[], []]);
  });

  it('shows an included post as editable until it is not', async () => {
    const network = await startNetwork({});
    const quoted = await network.posted('carol', 'quoted');
    await network.as('bob').post('/2/tweets', { text: 'look', quote_tweet_id: quoted });
    const query = 'expansions=referenced_tweets.id&tweet.fields=edit_controls';
    const isEditable = async () => {
      const { body } = await network.as('alice').get(`/2/users/${ID.bob}/tweets?${query}`);
      return body.includes.tweets[0].edit_controls.is_edit_eligible;
    };
    expect([await isEditable(), await isEditable()]).toEqual([true, true]);
    await network.advance(31 * MINUTE_MS);
    expect([await isEditable(), await isEditable()]).toEqual([false, false]);
  });

  it('shows each viewer the own relation to an author, in every turn', async () => {
    const network = await startNetwork({ follows: [{ from: 'alice', to: 'bob' }] });
    await network.posted('bob', 'mine');
    const query = 'expansions=author_id&user.fields=connection_status,subscription_type';
    const author = async (viewer: 'alice' | 'bob' | 'carol') =>
      (await network.as(viewer).get(`/2/users/${ID.bob}/tweets?${query}`)).body.includes.users[0];
    for (let turn = 1; turn <= 3; turn += 1) {
      expect((await author('alice')).connection_status).toEqual(['following']);
      expect(await author('carol')).not.toHaveProperty('connection_status');
      expect(await author('bob')).toHaveProperty('subscription_type');
    }
  });

  it('shows counts as they are now, in each selection of fields', async () => {
    const network = await startNetwork({});
    const quoted = await network.posted('carol', 'quoted');
    await network.as('bob').post('/2/tweets', { text: 'look', quote_tweet_id: quoted });
    const read = async (query: string) =>
      (await network.as('alice').get(`/2/users/${ID.bob}/tweets?${query}`)).body;
    for (let likes = 0; likes < 3; likes += 1) {
      const { data, includes } = await read(QUERY);
      expect(includes.tweets[0].public_metrics).toMatchObject({ like_count: likes, quote_count: 1 });
      expect(includes.users[0].public_metrics.followers_count).toBe(likes);
      const plain = await read('');
      expect(plain.includes).toBeUndefined();
      expect(Object.keys(plain.data[0])).toEqual(['id', 'text', 'edit_history_tweet_ids']);
      expect(plain.data[0].text).toBe(data[0].text);
      const fan = (['dave', 'erin', 'frank'] as const)[likes] as 'dave';
      await network.as(fan).post(`/2/users/${ID[fan]}/likes`, { tweet_id: quoted });
      await network.as(fan).post(`/2/users/${ID[fan]}/following`, { target_user_id: ID.bob });
    }
  });
});

describe('a home timeline (docs/api/timelines.md)', () => {
  it('omits muted, blocked and unfollowed authors, and only those', async () => {
    const network = await startNetwork({
      follows: ['bob', 'carol', 'dave'].map((to) => ({ from: 'alice', to })),
      mutes: [{ from: 'alice', to: 'erin' }],
      blocks: [{ from: 'frank', to: 'alice' }],
    });
    const alice = network.as('alice');
    const ids = {
      bob: await network.posted('bob', 'by bob'),
      carol: await network.posted('carol', 'by carol'),
      dave: await network.posted('dave', 'by dave'),
      alice: await network.posted('alice', 'by alice'),
    };
    const home = async () => {
      const { body } = await alice.get(`/2/users/${ID.alice}/timelines/reverse_chronological`);
      return (body.data ?? []).map(({ id }: { id: string }) => id);
    };
    expect(await home()).toEqual([ids.alice, ids.dave, ids.carol, ids.bob]);
    await alice.post(`/2/users/${ID.alice}/muting`, { target_user_id: ID.bob });
    expect(await home()).toEqual([ids.alice, ids.dave, ids.carol]);
    await alice.post(`/2/users/${ID.alice}/blocking`, { target_user_id: ID.carol });
    expect(await home()).toEqual([ids.alice, ids.dave]);
    await alice.delete(`/2/users/${ID.alice}/following/${ID.dave}`);
    expect(await home()).toEqual([ids.alice]);
  });
});
