import { describe, expect, it } from 'vitest';
import { readTwarcLine, type LineObjects } from './twarc-line.js';

const post = (id: string, members: object = {}) => ({ id, text: 't', author_id: '7', ...members });
const user = (id: string) => ({ id, username: `u${id}`, name: 'N' });

function found(line: unknown): LineObjects {
  const content = readTwarcLine(line);
  if ('skipped' in content) throw new Error(`skipped as ${content.skipped}`);
  return content;
}
const idsOf = (objects: readonly { readonly id?: unknown }[]) => objects.map((object) => object.id);

describe('readTwarcLine', () => {
  it('reads a page with its includes and the time of fetching', () => {
    const line = found({
      data: [post('1'), post('2')],
      includes: {
        tweets: [post('3')],
        users: [user('7')],
        media: [{ media_key: '3_1' }],
        polls: [{ id: '4' }],
        places: [{ id: 'p' }],
      },
      errors: [{ title: 'Not Found Error' }],
      meta: { result_count: 2 },
      __twarc: { retrieved_at: '2021-09-22T16:39:00+00:00' },
    });
    expect(idsOf(line.posts)).toEqual(['1', '2', '3']);
    expect(idsOf(line.users)).toEqual(['7']);
    expect([line.media.length, line.polls.length, line.places.length]).toEqual([1, 1, 1]);
    expect(line.observedAtMs).toBe(Date.UTC(2021, 8, 22, 16, 39));
  });

  it('reads a stream line, a lookup of one post, a page of users, a single user and a single post', () => {
    const stream = found({
      data: post('1'),
      includes: { users: [user('7')] },
      matching_rules: [{ id: 5, tag: null }],
    });
    expect([idsOf(stream.posts), idsOf(stream.users)]).toEqual([['1'], ['7']]);
    expect(idsOf(found({ data: [user('7')], includes: { tweets: [post('1')] } }).users)).toEqual(['7']);
    expect(idsOf(found(user('7')).users)).toEqual(['7']);
    expect(found(post('1')).observedAtMs).toBe(0);
  });

  it('reads objects that flattening put inside posts, at any depth, but no bare references', () => {
    const quoted = post('3', { author: user('9'), referenced_tweets: [{ type: 'replied_to', id: '4' }] });
    const line = found(
      post('1', {
        author: { ...user('7'), pinned_tweet: post('5') },
        in_reply_to_user: {},
        entities: {
          mentions: [
            { start: 0, end: 3, username: 'x', id: '10' },
            { start: 4, end: 8, ...user('11') },
          ],
        },
        attachments: { media: [{ media_key: '3_1' }, {}], poll: { id: '6' } },
        geo: { place_id: 'p', full_name: 'P' },
        referenced_tweets: [
          { type: 'retweeted', ...post('2', { referenced_tweets: [{ type: 'quoted', ...quoted }] }) },
        ],
      }),
    );
    expect(idsOf(line.posts)).toEqual(['1', '2', '3', '5']);
    expect(idsOf(line.users)).toEqual(['7', '11', '9']);
    expect([line.media.length, line.polls.length, line.places.length]).toEqual([1, 1, 1]);
  });

  it.each([
    ['compliance', { id: '1', action: 'delete', created_at: 'x', reason: 'deleted' }],
    ['counts', { data: [{ start: 's', end: 'e', tweet_count: 3 }], meta: { total_tweet_count: 3 } }],
    ['empty', { meta: { result_count: 0 }, __twarc: {} }],
    ['empty', { data: {}, includes: {} }],
    ['empty', { data: [{}] }],
    ['empty', {}],
    ['errors', { errors: [{ title: 'operational-disconnect', disconnect_type: 'x' }] }],
    ['errors', { title: 'ConnectionException', detail: 'too many', connection_issue: 'x', type: 'y' }],
    ['lists', { data: [{ id: '1', name: 'l', owner_id: '2', member_count: 3, private: false }] }],
    ['messages', { data: [{ id: '1', text: 'psst', event_type: 'MessageCreate' }] }],
    ['spaces', { data: [{ id: '1abc', state: 'live', host_ids: ['1'] }] }],
    ['other', { data: [{ id: '1', topic: 'x' }] }],
  ])('skips lines without posts and users: %s', (kind, line) => {
    expect(readTwarcLine(line)).toEqual({ skipped: kind });
  });

  it.each([
    ['not a JSON object', [1, 2]],
    ['not a JSON object', null],
    ['unknown kind of object', { hello: 'world' }],
    ['a post of version 1.1; only version 2 is supported', { id: 1, id_str: '1', full_text: 'x' }],
  ])('refuses: %s', (reason, line) => {
    expect(() => readTwarcLine(line)).toThrow(reason);
  });
});
