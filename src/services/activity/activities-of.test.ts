import { describe, expect, test } from 'vitest';
import type { Entities } from '../../core/entities.js';
import type { FeedEvent } from '../../core/feed-event.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { Post } from '../../core/post.js';
import { activitiesOf } from './activities-of.js';

const ALICE = 1n as UserId;
const BOB = 2n as UserId;
const CAROL = 3n as UserId;
const NAMES = new Map([
  ['alice', ALICE],
  ['bob', BOB],
  ['carol', CAROL],
]);

/** Returns a post with the mentions of its text. */
function post(id: bigint, authorId: UserId, text: string, more: Partial<Post> = {}): Post {
  const mentions: NonNullable<Entities['mentions']> = [...text.matchAll(/@([a-z]+)/g)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    username: found[1] ?? '',
    id: NAMES.get(found[1] ?? '')?.toString(),
  }));
  return { id: id as PostId, authorId, text, detail: { entities: { mentions } }, ...more } as Post;
}

function mentioned(made: Post, ...others: readonly Post[]): readonly UserId[] {
  const event: FeedEvent = { kind: 'post-made', postId: made.id, authorId: made.authorId };
  const posts = new Map([made, ...others].map((one) => [one.id, one]));
  const activities = activitiesOf(event, { posts, participants: new Map() });
  return activities.find(({ type }) => type === 'post.mention.create')?.inbound ?? [];
}

describe('mentions', () => {
  test('are those of others, each once', () => {
    expect(mentioned(post(9n, ALICE, '@bob and @carol, @bob and @alice'))).toEqual([BOB, CAROL]);
  });

  test('of unknown accounts are left out', () => {
    expect(mentioned(post(9n, ALICE, 'hello @nobody'))).toEqual([]);
  });

  test('at the beginning of a reply are those that it did not inherit', () => {
    const parent = post(8n, BOB, 'hello @carol');
    const replying = { inReplyToPostId: parent.id, inReplyToUserId: BOB };
    expect(mentioned(post(9n, ALICE, '@bob @carol yes', replying), parent)).toEqual([]);
    expect(mentioned(post(9n, ALICE, '@bob yes, @bob', replying), parent)).toEqual([BOB]);
    const ofAlice = post(7n, CAROL, 'hello');
    const replyingToCarol = { inReplyToPostId: ofAlice.id, inReplyToUserId: CAROL };
    expect(mentioned(post(9n, ALICE, '@carol @bob yes', replyingToCarol), ofAlice)).toEqual([BOB]);
  });

  test('of reposted texts do not count', () => {
    const original = post(8n, BOB, 'hello @carol');
    const made = post(9n, ALICE, 'RT @bob: hello @carol', { repostedPostId: original.id });
    expect(mentioned(made, original)).toEqual([]);
  });
});

test('a post that no longer exists is no activity', () => {
  const event: FeedEvent = { kind: 'post-made', postId: 9n as PostId, authorId: ALICE };
  expect(activitiesOf(event, { posts: new Map(), participants: new Map() })).toEqual([]);
});

test('a change of a profile is one activity for each member, with empty texts for what is not set', () => {
  const event: FeedEvent = {
    kind: 'profile-changed',
    userId: ALICE,
    before: { profileBannerUrl: undefined, location: undefined, verified: false, username: 'alice' },
    after: { profileBannerUrl: 'https://x.org/a', location: 'Pond', verified: true, username: 'alice2' },
  };
  const changes = activitiesOf(event, { posts: new Map(), participants: new Map() });
  expect(changes.map(({ type, subject }) => [type, subject] as unknown)).toEqual([
    [
      'profile.update.banner_picture',
      { kind: 'profile', userId: ALICE, before: '', after: 'https://x.org/a' },
    ],
    ['profile.update.geo', { kind: 'profile', userId: ALICE, before: '', after: 'Pond' }],
    ['profile.update.verified_badge', { kind: 'profile', userId: ALICE, before: 'false', after: 'true' }],
    ['profile.update.handle', { kind: 'profile', userId: ALICE, before: 'alice', after: 'alice2' }],
  ]);
});

test.each(['like-undone', 'follow-requested', 'account-protected', 'conversation-left'])(
  '%s is none',
  (kind) => {
    const event = { kind, userId: ALICE, targetId: BOB, postId: 9n, conversation: '1-2', eventId: 8n };
    const facts = { posts: new Map(), participants: new Map() };
    expect(activitiesOf(event as unknown as FeedEvent, facts)).toEqual([]);
  },
);
