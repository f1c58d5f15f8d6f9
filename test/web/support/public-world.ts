import { standardWorld } from '../../support/world.js';

/** Ids of posts of `publicWorld`. */
export const PAGE_POSTS = {
  top: '1600000000000000001',
  answer: '1600000000000000002',
  deep: '1600000000000000003',
  hidden: '1600000000000000004',
  protectedAnswer: '1600000000000000005',
  photos: '1600000000000000006',
  poll: '1600000000000000007',
  quote: '1600000000000000008',
  hostile: '1600000000000000009',
  quotesSecret: '1600000000000000010',
  entities: '1600000000000000011',
  afterHidden: '1600000000000000012',
  sensitive: '1600000000000000013',
  suspended: '1600000000000000014',
  video: '1600000000000000015',
} as const;

/** Markup, the end of an attribute and a change of direction. */
export const HOSTILE = `<script>alert(1)</script> "onmouseover='x' \u202e&amp; <img src=x>`;

/** Returns the standard world with a conversation, media of every kind, a poll, a place, and texts with markup. */
export function publicWorld(): Record<string, unknown[]> {
  const world = standardWorld();
  const P = PAGE_POSTS;
  return {
    ...world,
    users: [
      ...(world['users'] ?? []),
      {
        id: '1010',
        username: 'hostile',
        name: '<b>"E\u200bve\u202e\u3164',
        description: `${HOSTILE} @alice #tag https://example.com/?a=1&b=2`,
        url: 'https://example.com/"><script>',
        location: '<i>nowhere</i>\u2066\u00ad',
        profile_image_url: 'https://elsewhere.example/face.png',
        created_at: '2020-01-01T00:00:00Z',
      },
      { id: '1011', username: 'media', name: 'Media', created_at: '2020-01-01T00:00:00Z' },
      { id: '1012', username: 'gone', name: 'Gone', created_at: '2020-01-01T00:00:00Z' },
      { id: '1013', username: 'quiet', name: 'Quiet', created_at: '2020-01-01T00:00:00Z' },
    ],
    media: [
      ...[1, 2, 3, 4].map((index) => ({
        media_key: `3_90${index}`,
        type: 'photo',
        owner: 'alice',
        url: `http://pipit.test/media/90${index}/${'p'.repeat(32)}.jpg`,
        alt_text: `Photo ${index} <of> "four"`,
        width: 640,
        height: 480,
      })),
      {
        media_key: '7_905',
        type: 'video',
        owner: 'alice',
        variants: [{ content_type: 'video/mp4', url: 'https://elsewhere.example/v.mp4' }],
      },
    ],
    places: [
      {
        id: 'place1',
        full_name: 'The <Pond>,\u200b Nowhere',
        name: 'The Pond',
        country: 'Nowhere',
        country_code: 'NO',
        place_type: 'city',
        bbox: [1, 1, 2, 2],
      },
    ],
    posts: [
      ...(world['posts'] ?? []),
      { id: P.top, author: 'alice', text: 'The top of a conversation' },
      { id: P.answer, author: 'bob', text: 'An answer', in_reply_to: P.top },
      { id: P.deep, author: 'carol', text: 'An answer to the answer', in_reply_to: P.answer },
      { id: P.hidden, author: 'mallory', text: 'Hidden from all', in_reply_to: P.top, hidden: true },
      { id: P.protectedAnswer, author: 'dave', text: 'For followers only', in_reply_to: P.top },
      { id: P.afterHidden, author: 'carol', text: 'Below a hidden one', in_reply_to: P.hidden },
      {
        id: P.photos,
        author: 'alice',
        text: 'Four photos',
        media: ['3_901', '3_902', '3_903', '3_904'],
        place: 'place1',
      },
      { id: P.video, author: 'alice', text: 'Moving', media: ['7_905'] },
      {
        id: P.poll,
        author: 'alice',
        text: 'Which?',
        poll: { options: ['<b>One</b>', 'Two'], duration_minutes: 60, votes: [3, 1] },
      },
      { id: P.quote, author: 'bob', text: 'See this', quote_of: P.photos },
      { id: P.quotesSecret, author: 'bob', text: 'Secret, see', quote_of: '1500000000000000003' },
      { id: P.hostile, author: 'hostile', text: HOSTILE },
      {
        id: P.entities,
        author: 'media',
        text: 'Read https://example.com/?a=1&b=2 by @bob and @nobody about #ponds and $POND & <more>',
      },
      { id: P.sensitive, author: 'alice', text: 'Careful', possibly_sensitive: true },
      { id: P.suspended, author: 'gone', text: 'Of a suspended account' },
    ],
  };
}

export const HOSTILE_ID = '1010';
export const RESERVED_ID = '1011';
