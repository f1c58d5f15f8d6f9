import { describe, expect, it } from 'vitest';
import { mapPlace, mapMedia, mapPoll } from './map-attachments.js';
import { EARLIEST_MS, mapUser } from './map-user.js';

describe('mapUser', () => {
  it('maps every field of a full user (docs/api/objects.md#user)', () => {
    const url = { urls: [{ start: 0, end: 23, url: 'https://t.example/a' }] };
    const { user, counts, isFull } = mapUser(
      {
        id: '7',
        username: 'alice',
        name: 'Alice',
        created_at: '2012-03-04T05:06:07.000Z',
        description: 'a & b',
        location: 'Here',
        url: 'https://t.example/a',
        profile_image_url: 'https://images.example/a.png',
        protected: true,
        verified: true,
        verified_type: 'business',
        pinned_tweet_id: '12',
        withheld: { country_codes: ['XY'], scope: 'user' },
        entities: { url, description: { hashtags: {}, mentions: [] } },
        public_metrics: { followers_count: 1, following_count: 2, tweet_count: 3, listed_count: 4 },
      },
      9,
    );
    expect(user).toMatchObject({
      id: 7n,
      username: 'alice',
      createdAtMs: Date.UTC(2012, 2, 4, 5, 6, 7),
      description: 'a & b',
      protected: true,
      verifiedType: 'business',
      pinnedPostId: 12n,
      withheld: { country_codes: ['XY'], scope: 'user' },
      entities: { url },
      suspended: false,
    });
    expect(counts).toEqual({ followers: 1, following: 2, posts: 3, listed: 4 });
    expect(isFull).toBe(true);
  });

  it('maps a user with only the default fields; a small id gets the earliest time', () => {
    const { user, counts, isFull } = mapUser({ id: '7', username: 'a_very_long_old_username' }, 0);
    expect(user).toMatchObject({
      username: 'a_very_long_old_username',
      name: 'a_very_long_old_username',
      createdAtMs: EARLIEST_MS,
      description: '',
    });
    expect({ counts, isFull }).toEqual({ counts: undefined, isFull: false });
  });

  it.each([
    ['no id', { username: 'a' }],
    ['a user without username', { id: '7', username: ' ' }],
  ])('refuses: %s', (reason, wire) => {
    expect(() => mapUser(wire, 0)).toThrow(reason);
  });
});

describe('mapping of attachments', () => {
  it('maps media by their keys and refuses unknown types', () => {
    const { media } = mapMedia(
      { media_key: '7_12', type: 'video', duration_ms: 5.2, public_metrics: { view_count: 3 }, variants: {} },
      0,
    );
    expect(media).toMatchObject({
      id: 12n,
      mediaKey: '7_12',
      durationMs: 5,
      viewCount: 3,
      variants: undefined,
    });
    expect(() => mapMedia({ media_key: '7_12', type: 'hologram' }, 0)).toThrow('unknown type');
    expect(() => mapMedia({ type: 'photo' }, 0)).toThrow('not a media key');
  });

  it('orders poll options by position', () => {
    const options = [
      { position: 2, label: 'no', votes: 1 },
      { position: 1, label: 'yes', votes: 4 },
    ];
    expect(mapPoll({ id: '5', options, voting_status: 'closed' }, 0).poll).toMatchObject({
      id: 5n,
      options: [
        { label: 'yes', votes: 4 },
        { label: 'no', votes: 1 },
      ],
      votingStatus: 'closed',
    });
  });

  it('maps places with their geometry unchanged', () => {
    const geo = { type: 'Feature', bbox: [1, 2, 3, 4], properties: {} };
    expect(mapPlace({ id: 'p', full_name: 'Somewhere', contained_within: {}, geo })).toMatchObject({
      id: 'p',
      fullName: 'Somewhere',
      containedWithin: undefined,
      geo,
    });
    expect(() => mapPlace({ id: 'p' })).toThrow('full_name');
  });
});
