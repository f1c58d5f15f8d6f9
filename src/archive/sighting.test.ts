import { describe, expect, it } from 'vitest';
import { mapPost } from './map-post.js';
import { mapUser } from './map-user.js';
import { combinePosts, combineUsers, isSame } from './sighting.js';

const FULL = { conversation_id: '1', lang: 'en', possibly_sensitive: true, source: 'App' };
const post = (observedAtMs: number, members: Record<string, unknown>) =>
  mapPost(
    { id: '1500000000000000000', author_id: '7', text: 't', ...members },
    { observedAtMs, userIdOf: () => undefined },
  );
const likes = (count: number) => ({ public_metrics: { like_count: count } });

describe('combining sightings', () => {
  it('lets the later one win, in any order', () => {
    const early = post(1, { ...FULL, text: 'early', ...likes(1) });
    const late = post(2, { ...FULL, text: 'late', ...likes(5) });
    for (const combined of [combinePosts(early, late), combinePosts(late, early)]) {
      expect(combined).toMatchObject({ observedAtMs: 2, post: { text: 'late' }, counts: { likes: 5 } });
    }
  });

  it('lets the last one read win when times are unknown', () => {
    const first = post(0, { ...FULL, text: 'first' });
    const second = post(0, { ...FULL, text: 'second' });
    expect(combinePosts(first, second).post.text).toBe('second');
    expect(combinePosts(second, first).post.text).toBe('first');
  });

  it('lets the more complete one win at equal times, in any order', () => {
    const url = { start: 0, end: 1, url: 'https://t.example/a' };
    const brief = post(3, { ...FULL, entities: { urls: [url] } });
    const rich = post(3, { ...FULL, entities: { urls: [{ ...url, title: 'T' }] } });
    for (const combined of [combinePosts(brief, rich), combinePosts(rich, brief)]) {
      expect(combined.post).toEqual(rich.post);
    }
  });

  it('overlays the fields of a later sparse sighting on the earlier one', () => {
    const full = post(1, { ...FULL, text: 'a &amp; AT&T', ...likes(1) });
    const sparse = post(2, { text: 'new text', ...likes(9) });
    for (const combined of [combinePosts(full, sparse), combinePosts(sparse, full)]) {
      expect(combined).toMatchObject({
        isFull: true,
        post: { text: 'new text', lang: 'en', source: 'App', conversationId: 1n, possiblySensitive: true },
        counts: { likes: 9 },
      });
      expect(combined.post.detail.wireText).toBeUndefined();
    }
  });

  it('lets a later full sighting remove absent fields', () => {
    const early = post(1, { ...FULL, withheld: { country_codes: ['XY'] } });
    expect(combinePosts(early, post(2, FULL)).post.detail.withheld).toBeUndefined();
  });

  it('keeps a profile when a later sighting of the user has only the default fields', () => {
    const full = mapUser(
      {
        id: '7',
        username: 'old',
        name: 'Old',
        description: 'd',
        verified: true,
        public_metrics: { tweet_count: 3 },
      },
      1,
    );
    const sparse = mapUser({ id: '7', username: 'new', name: 'New' }, 2);
    expect(combineUsers(full, sparse)).toMatchObject({
      user: { username: 'new', name: 'New', description: 'd', verified: true },
      counts: { posts: 3 },
    });
  });

  it('treats undefined members as absent', () => {
    expect(isSame({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(isSame({ a: { b: [1n] } }, { a: { b: [2n] } })).toBe(false);
  });
});
