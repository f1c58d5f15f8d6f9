import { test, expect } from 'vitest';
import { POSTS } from '../support/world.js';
import { createRefuser, type Refusal } from './refusals.js';

const { faultsOf, expectRefusal } = createRefuser();

const POST = { id: '1600000000000000000', author: 'alice', text: 'new' };
/** The same as in the standard world. */
const SECRET = { id: POSTS.secret, author: 'dave', text: 'Nobody but followers reads this' };
const MEDIA = { media_key: '3_77', type: 'photo' };

const REFUSALS: readonly Refusal[] = [
  [
    'deep links are links',
    { posts: [{ ...POST, direct_message_deep_link: 'javascript:x' }] },
    '$.posts[0].direct_message_deep_link',
    /must/,
  ],
  [
    'communities of posts exist',
    { posts: [{ ...POST, community: '9' }] },
    '$.posts[0].community',
    /no community 9 in this file/,
  ],
  [
    'a card excludes a quote',
    { posts: [{ ...POST, card_uri: 'card://1', quote_of: POSTS.hello }] },
    '$.posts[0].card_uri',
    /does not go with quote_of/,
  ],
  [
    'posts name their author',
    { posts: [{ ...POST, author: 'nobody' }] },
    '$.posts[0].author',
    /no user "nobody"/,
  ],
  ['a post is not empty', { posts: [{ ...POST, text: '  ' }] }, '$.posts[0].text', /is missing/],
  [
    'a post with only a poll needs text (docs/api/posts.md)',
    { posts: [{ id: POST.id, author: 'alice', poll: { options: ['a', 'b'], duration_minutes: 60 } }] },
    '$.posts[0].text',
    /is missing or blank/,
  ],
  [
    'a text weighs at most 280',
    { posts: [{ ...POST, text: 'a'.repeat(281) }] },
    '$.posts[0].text',
    /is too long: 281 of at most 280/,
  ],
  [
    'wide characters weigh two',
    { posts: [{ ...POST, text: '水'.repeat(141) }] },
    '$.posts[0].text',
    /is too long: 282/,
  ],
  [
    'characters that are invalid in posts are refused',
    { posts: [{ ...POST, text: 'a\uFFFEb' }] },
    '$.posts[0].text',
    /no post may have/,
  ],
  [
    'users are tagged in media only (docs/api/posts.md)',
    { posts: [{ ...POST, tagged_users: ['bob'] }] },
    '$.posts[0].tagged_users',
    /media is missing/,
  ],
  [
    'media exclude a quote',
    { media: [MEDIA], posts: [{ ...POST, media: ['3_77'], quote_of: POSTS.hello }] },
    '$.posts[0].media',
    /does not go with quote_of/,
  ],
  [
    'a video is the only medium',
    {
      media: [MEDIA, { media_key: '7_78', type: 'video' }],
      posts: [{ ...POST, media: ['3_77', '7_78'] }],
    },
    '$.posts[0].media',
    /1 to 4 photos, one animated_gif or one video/,
  ],
  [
    'a stored post keeps its text',
    { posts: [{ id: POSTS.hello, author: 'alice', text: 'Hello from the pond' }] },
    '$.posts[0].text',
    /differs from post 1500000000000000001 in the database: a changed post needs a new id/,
  ],
  [
    'a stored reply keeps its text',
    { posts: [{ id: POSTS.reply, author: 'bob', text: 'morning!', in_reply_to: POSTS.hello }] },
    '$.posts[0].text',
    /differs from post/,
  ],
  [
    'a stored quote keeps its text',
    { posts: [{ id: POSTS.quote, author: 'carol', text: 'Look at', quote_of: POSTS.hello }] },
    '$.posts[0].text',
    /differs from post/,
  ],
  [
    'a stored post keeps its parent',
    { posts: [{ id: POSTS.reply, author: 'bob', text: 'Good morning!' }] },
    '$.posts[0].in_reply_to',
    /differs from post/,
  ],
  [
    'a stored post keeps its quoted post',
    { posts: [{ ...SECRET, quote_of: POSTS.hello }] },
    '$.posts[0].quote_of',
    /differs from post/,
  ],
  [
    'a stored repost stays a repost',
    { posts: [{ id: POSTS.repost, author: 'bob', text: 'words of my own' }] },
    '$.posts[0].repost_of',
    /differs from post/,
  ],
  ['post ids are unique', { posts: [POST, POST] }, '$.posts[1].id', /stands at/],
  [
    'a stored post keeps its author',
    { posts: [{ ...POST, id: POSTS.hello, author: 'bob' }] },
    '$.posts[0].id',
    /user 1001/,
  ],
  [
    'replies have an existing parent',
    { posts: [{ ...POST, in_reply_to: '5' }] },
    '$.posts[0].in_reply_to',
    /no post 5/,
  ],
  [
    'replies have an older parent',
    { posts: [{ ...POST, id: '1400000000000000000', in_reply_to: POSTS.hello }] },
    '$.posts[0].in_reply_to',
    /must be older/,
  ],
  [
    'quotes have an existing post',
    { posts: [{ ...POST, quote_of: '5' }] },
    '$.posts[0].quote_of',
    /no post 5/,
  ],
  [
    'a repost has no text',
    { posts: [{ ...POST, repost_of: POSTS.hello }] },
    '$.posts[0].text',
    /does not go with repost_of/,
  ],
  [
    'a user reposts a post once',
    { posts: [{ id: POST.id, author: 'bob', repost_of: POSTS.hello }] },
    '$.posts[0].repost_of',
    /has another repost/,
  ],
  ['only replies can be hidden', { posts: [{ ...POST, hidden: true }] }, '$.posts[0].hidden', /only a reply/],
  [
    'polls have 2 to 4 options',
    { posts: [{ ...POST, poll: { options: ['a'], duration_minutes: 60 } }] },
    '$.posts[0].poll.options',
    /2 to 4 entries/,
  ],
  [
    'poll options are distinct',
    { posts: [{ ...POST, poll: { options: ['a', 'a'], duration_minutes: 60 } }] },
    '$.posts[0].poll.options',
    /differ/,
  ],
  [
    'polls have one number of votes per option',
    { posts: [{ ...POST, poll: { options: ['a', 'b'], duration_minutes: 60, votes: [1] } }] },
    '$.posts[0].poll.votes',
    /one number for each/,
  ],
];

test.each(REFUSALS)('%s', (_rule, document, path, reason) => expectRefusal(document, path, reason));

test.each([
  ['votes', { options: ['a', 'b'], votes: [1, 'x'] }, '$.posts[0].poll.votes[1]'],
  ['options', { options: ['a', 'b'.repeat(26)], votes: [1, 2] }, '$.posts[0].poll.options[1]'],
])('an invalid value among %s is one fault only', async (_key, poll, path) => {
  const faults = await faultsOf({ posts: [{ ...POST, poll: { duration_minutes: 60, ...poll } }] });
  expect(faults.map((fault) => fault.slice(0, fault.indexOf(':')))).toEqual([path]);
});
