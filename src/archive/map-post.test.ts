import { describe, expect, it } from 'vitest';
import type { UserId } from '../core/ids.js';
import { mapPost, type LineContext } from './map-post.js';
import { RefusedObject } from './wire-json.js';

const context: LineContext = { observedAtMs: 5, userIdOf: () => undefined };
const ID = '1500000000000000000';
const map = (members: Record<string, unknown>) =>
  mapPost({ id: ID, author_id: '7', text: 'hello', ...members }, context);

describe('mapPost', () => {
  it('maps every field of a full post (docs/api/objects.md#post)', () => {
    const { post, counts, isFull, observedAtMs } = map({
      conversation_id: '11',
      created_at: '2021-09-22T16:38:35.000Z',
      lang: 'es',
      source: 'Test App',
      in_reply_to_user_id: '8',
      reply_settings: 'mentionedUsers',
      possibly_sensitive: true,
      attachments: { media_keys: ['3_1'], poll_ids: ['2'] },
      geo: { place_id: 'abc', coordinates: { type: 'Point', coordinates: [1.5, 2.5] } },
      withheld: { copyright: false, country_codes: ['XY'], scope: 'tweet' },
      public_metrics: {
        retweet_count: 1,
        reply_count: 2,
        like_count: 3,
        quote_count: 4,
        impression_count: 5,
      },
      context_annotations: [{ domain: { id: '1' }, entity: { id: '2' } }],
    });
    expect(post).toMatchObject({
      id: 1500000000000000000n,
      authorId: 7n,
      createdAtMs: Date.UTC(2021, 8, 22, 16, 38, 35),
      conversationId: 11n,
      lang: 'es',
      source: 'Test App',
      inReplyToUserId: 8n,
      replySettings: 'mentionedUsers',
      possiblySensitive: true,
      placeId: 'abc',
      detail: {
        mediaKeys: ['3_1'],
        pollIds: ['2'],
        coordinates: { type: 'Point', coordinates: [1.5, 2.5] },
        withheld: { copyright: false, country_codes: ['XY'], scope: 'tweet' },
        contextAnnotations: [{ domain: { id: '1' }, entity: { id: '2' } }],
      },
    });
    expect(counts).toEqual({ reposts: 1, replies: 2, likes: 3, quotes: 4, bookmarks: 0, impressions: 5 });
    expect({ isFull, observedAtMs }).toEqual({ isFull: true, observedAtMs: 5 });
  });

  it('maps a post with only id, author and text: own conversation, time of the id, no counts', () => {
    const { post, counts, isFull } = map({});
    expect(post).toMatchObject({
      conversationId: post.id,
      createdAtMs: 1646462843309,
      lang: 'und',
      replySettings: 'everyone',
      possiblySensitive: false,
      detail: {},
    });
    expect({ counts, isFull }).toEqual({ counts: undefined, isFull: false });
  });

  it('keeps the time of a post whose id encodes none (docs/api/requests.md#ids), and refuses it without one', () => {
    expect(map({ id: '20', created_at: '2006-03-21T20:50:14.000Z' }).post.createdAtMs).toBe(1142974214000);
    expect(() => map({ id: '20' })).toThrow('no created_at');
  });

  it('stores the text unescaped, and the wire form only when escaping cannot restore it', () => {
    expect(map({ text: 'a &amp; b &lt;3' }).post).toMatchObject({ text: 'a & b <3', detail: {} });
    expect(map({ text: 'AT&T &amp;' }).post).toMatchObject({
      text: 'AT&T &',
      detail: { wireText: 'AT&T &amp;' },
    });
  });

  it('keeps characters that no engine can store only in the wire form', () => {
    expect(map({ text: 'a\0b\uD83D' }).post).toMatchObject({
      text: 'ab\uFFFD',
      detail: { wireText: 'a\0b\uD83D' },
    });
  });

  it('maps all three kinds of reference at once', () => {
    const referenced_tweets = [
      { type: 'quoted', id: '1' },
      { type: 'replied_to', id: '2' },
      { type: 'retweeted', id: '3' },
    ];
    expect(map({ referenced_tweets }).post).toMatchObject({
      quotedPostId: 1n,
      inReplyToPostId: 2n,
      repostedPostId: 3n,
    });
  });

  it('treats {} as an empty array and omits empty members', () => {
    const { post, mentionedIds } = map({
      referenced_tweets: {},
      entities: { hashtags: {}, mentions: [], urls: {} },
      attachments: { media_keys: {} },
      context_annotations: {},
      edit_history_tweet_ids: {},
      geo: {},
      withheld: {},
    });
    expect(post.detail).toEqual({});
    expect({ mentionedIds, placeId: post.placeId }).toEqual({ mentionedIds: [], placeId: undefined });
  });

  it('removes the users from flattened mentions', () => {
    const mention = { start: 0, end: 4, username: 'bob', id: '8' };
    const { post } = map({ entities: { mentions: [{ ...mention, name: 'Bob', verified: false }] } });
    expect(post.detail.entities).toEqual({ mentions: [mention] });
  });

  it('keeps the whole of a long post, with the users that only this mentions', () => {
    const mention = { start: 400, end: 404, username: 'bob', id: '8' };
    const note_tweet = {
      text: 'All of it &amp; more @bob',
      entities: { mentions: [{ ...mention, name: 'Bob' }] },
    };
    const { post, mentionedIds } = map({ text: 'All of it…', note_tweet });
    expect(post.detail).toEqual({
      note: { text: 'All of it & more @bob', entities: { mentions: [mention] } },
    });
    expect(mentionedIds).toEqual([8n]);
    expect(map({ note_tweet: { text: 'a > b' } }).post.detail.note).toEqual({
      text: 'a > b',
      wireText: 'a > b',
    });
    for (const other of [null, 'text', {}, { text: 1 }])
      expect(map({ note_tweet: other }).post.detail.note).toBeUndefined();
  });

  it('maps the place that flattening merged into geo, and media keys from inlined media', () => {
    const { post } = map({
      geo: { place_id: 'p', id: 'p', full_name: 'Somewhere', geo: { type: 'Feature' } },
      attachments: { media: [{ media_key: '3_5', type: 'photo' }, {}] },
    });
    expect(post).toMatchObject({ placeId: 'p', detail: { mediaKeys: ['3_5'] } });
  });

  it('keeps an edit history of more than one version, and edit controls unchanged', () => {
    const controls = { edits_remaining: '4', is_edit_eligible: true };
    expect(map({ edit_history_tweet_ids: ['1', ID], edit_controls: controls }).post.detail).toEqual({
      editHistory: ['1', ID],
      editControls: controls,
    });
    expect(map({ edit_history_tweet_ids: [ID] }).post.detail).toEqual({});
  });

  it('lists mentions and replies by user, by username without an id, but none for reposts', () => {
    const entities = {
      mentions: [
        { start: 0, end: 4, username: 'Bob' },
        { start: 5, end: 6, username: 'x', id: '7' },
      ],
    };
    const wire = { id: ID, author_id: '7', text: 't', entities, in_reply_to_user_id: '9' };
    const lookup = {
      observedAtMs: 0,
      userIdOf: (name: string) => (name === 'Bob' ? (8n as UserId) : undefined),
    };
    expect(mapPost(wire, lookup).mentionedIds).toEqual([9n, 8n]);
    const repost = { ...wire, referenced_tweets: [{ type: 'retweeted', id: '1' }] };
    expect(mapPost(repost, lookup).mentionedIds).toEqual([]);
  });

  it('reads the author from the inlined user', () => {
    expect(map({ author_id: undefined, author: { id: '12', username: 'x' } }).post.authorId).toBe(12n);
  });

  it('drops invalid ids, keys and entities', () => {
    const { post } = map({
      conversation_id: 'none',
      attachments: { media_keys: ['3_1', 'x', 5], poll_ids: ['1', 'y'] },
      entities: {
        hashtags: [
          { start: 0, end: 1 },
          { start: 0, end: 2, tag: 'a' },
        ],
        mentions: [{ id: '1' }],
      },
    });
    expect(post.conversationId).toBe(post.id);
    expect(post.detail).toEqual({
      mediaKeys: ['3_1'],
      pollIds: ['1'],
      entities: { hashtags: [{ start: 0, end: 2, tag: 'a' }] },
    });
  });

  it.each([
    ['no author_id', { author_id: undefined }],
    ['author_id is not an id', { author_id: 'bob' }],
    ['id is not an id', { id: '99999999999999999999' }],
    ['id is not an id', { id: 2 ** 60 }],
    ['a post without text', { text: 5 }],
    ['nested too deeply', { context_annotations: JSON.parse('['.repeat(500) + ']'.repeat(500)) as unknown }],
  ])('refuses: %s', (reason, members) => {
    expect(() => map(members)).toThrow(new RefusedObject(reason));
  });
});
