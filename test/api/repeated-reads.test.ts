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
    await network.advance(31 * MINUTE_MS);
    expect(await read(fields)).toEqual({
      ...before,
      public_metrics: { ...before.public_metrics, like_count: 1 },
      edit_controls: { ...before.edit_controls, is_edit_eligible: false },
    });
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
