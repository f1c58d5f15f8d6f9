import { describe, expect, test } from 'vitest';
import { refusal } from './support/errors.js';
import { DAY_MS, ID, postId, startNetwork, type Name, type Network } from './support/network.js';

/** Votes in polls and pinned posts (docs/api/pipit.md#votes-in-polls, docs/api/pipit.md#pinned-post). */

const POLL = { options: ['Heron', 'Grebe'], duration_minutes: 5 * 24 * 60, votes: [3, 4] };
const WITH_POLL = { id: postId(1), author: 'alice', text: 'Which bird?', poll: POLL };
const WITHOUT = { id: postId(2), author: 'alice', text: 'No poll' };

const vote = (network: Network, name: Name, option: unknown, id = postId(1)) =>
  network.as(name).post(`/_pipit/polls/${id}/votes`, { option });

async function votesOf(network: Network): Promise<number[]> {
  const { body } = await network.app.get(`/2/tweets/${postId(1)}?expansions=attachments.poll_ids`);
  return (body.includes.polls[0].options as { votes: number }[]).map(({ votes }) => votes);
}

describe('a vote', () => {
  test('counts once, is returned with the poll, and cannot be changed', async () => {
    const network = await startNetwork({ posts: [WITH_POLL, WITHOUT] });
    expect(await votesOf(network)).toEqual([3, 4]);
    const { status, body } = await vote(network, 'bob', 2);
    expect([status, body]).toEqual([
      200,
      {
        data: {
          id: expect.stringMatching(/^\d+$/) as string,
          options: [
            { position: 1, label: 'Heron', votes: 3 },
            { position: 2, label: 'Grebe', votes: 5 },
          ],
          duration_minutes: POLL.duration_minutes,
          end_datetime: expect.stringContaining('T') as string,
          voting_status: 'open',
        },
      },
    ]);
    expect((await vote(network, 'bob', 2)).body).toEqual(body);
    const again = await vote(network, 'bob', 1);
    expect([again.status, again.body]).toEqual([403, refusal('You have already voted in this poll.')]);
    expect(await votesOf(network)).toEqual([3, 5]);
  });

  test('of several users at once, each sent twice, are all counted once', async () => {
    const network = await startNetwork({ posts: [WITH_POLL] });
    const names = ['bob', 'carol', 'dave', 'erin', 'frank'] as const;
    const answers = await Promise.all(
      [...names, ...names].map((name, at) => vote(network, name, name === 'bob' ? 1 : at < 5 ? 2 : 1)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]));
    const [herons = 0, grebes = 0] = await votesOf(network);
    expect(herons + grebes).toBe(7 + names.length);
  });

  test('is refused to the author, over a block, after the end, and for what is not there', async () => {
    const network = await startNetwork({
      posts: [WITH_POLL, WITHOUT],
      blocks: [{ from: 'carol', to: 'alice' }],
    });
    expect((await vote(network, 'alice', 1)).body).toEqual(refusal('You cannot vote in your own poll.'));
    expect((await vote(network, 'carol', 1)).status).toBe(403);
    expect((await network.app.post(`/_pipit/polls/${postId(1)}/votes`, { option: 1 })).status).toBe(403);
    for (const option of [0, 3, 5, 1.5, '1', null]) {
      expect((await vote(network, 'bob', option)).status).toBe(400);
    }
    expect((await vote(network, 'bob', 1, postId(2))).body).toMatchObject({ resource_type: 'poll' });
    expect((await vote(network, 'bob', 1, '404')).status).toBe(404);
    await network.advance(5 * DAY_MS);
    expect((await vote(network, 'bob', 1)).body).toEqual(refusal('This poll is closed.'));
    expect(await votesOf(network)).toEqual([3, 4]);
  });

  test('stays in the result when the account is deleted', async () => {
    const network = await startNetwork({ posts: [WITH_POLL] });
    await vote(network, 'bob', 1);
    await network.deleteAccount('bob');
    expect(await votesOf(network)).toEqual([4, 4]);
  });
});

describe('a pinned post', () => {
  const pinned = async (network: Network) =>
    (await network.app.get(`/2/users/${ID.alice}?user.fields=pinned_tweet_id`)).body.data.pinned_tweet_id;
  const pin = (network: Network, id: string) =>
    network.as('alice').put('/_pipit/pinned_post', { post_id: id });

  test('replaces another, and is unpinned by its author or with the post', async () => {
    const network = await startNetwork({ posts: [WITH_POLL, WITHOUT] });
    for (const id of [postId(1), postId(2), postId(2)]) {
      expect((await pin(network, id)).body).toEqual({ data: { pinned: true } });
      expect(await pinned(network)).toBe(id);
    }
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await network.as('alice').delete('/_pipit/pinned_post');
      expect([status, body]).toEqual([200, { data: { pinned: false } }]);
    }
    expect(await pinned(network)).toBeUndefined();
    await pin(network, postId(2));
    await network.as('alice').delete(`/2/tweets/${postId(2)}`);
    expect(await pinned(network)).toBeUndefined();
  });

  test('is neither a repost, nor a post of others, nor an unknown one', async () => {
    const network = await startNetwork({
      posts: [
        { id: postId(1), author: 'bob', text: 'His' },
        { id: postId(2), author: 'alice', repost_of: postId(1) },
      ],
    });
    expect((await pin(network, postId(1))).status).toBe(403);
    expect((await pin(network, postId(2))).status).toBe(403);
    expect((await pin(network, '404')).status).toBe(404);
    expect((await network.as('alice').put('/_pipit/pinned_post', {})).status).toBe(400);
    expect(await pinned(network)).toBeUndefined();
  });
});
