import { test, expect } from 'vitest';
import { POSTS } from '../support/world.js';
import { createRefuser, type Refusal } from './refusals.js';

const { faultsOf, expectRefusal } = createRefuser();

const POST = { id: '1600000000000000000', author: 'alice', text: 'new' };
/** As the standard world has it. */
const SECRET = { id: POSTS.secret, author: 'dave', text: 'Nobody but followers reads this' };
const MEDIA = { media_key: '3_77', type: 'photo' };

const REFUSALS: readonly Refusal[] = [
  [
    'posts name their author',
    { posts: [{ ...POST, author: 'nobody' }] },
    '$.posts[0].author',
    /no user "nobody"/,
  ],
  ['a post says something', { posts: [{ ...POST, text: '  ' }] }, '$.posts[0].text', /is missing/],
  [
    'a post with only a poll needs text, as through the interface (docs/api/posts.md)',
    { posts: [{ id: POST.id, author: 'alice', poll: { options: ['a', 'b'], duration_minutes: 60 } }] },
    '$.posts[0].text',
    /is missing or blank/,
  ],
  [
    'a text weighs at most 280 (behaviours 1)',
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
    'characters that no post may have are refused',
    { posts: [{ ...POST, text: 'a\uFFFEb' }] },
    '$.posts[0].text',
    /no post may have/,
  ],
  [
    'users are tagged in media (docs/api/posts.md)',
    { posts: [{ ...POST, tagged_users: ['bob'] }] },
    '$.posts[0].tagged_users',
    /media is missing/,
  ],
  [
    'media do not go with a quote (behaviours 4)',
    { media: [MEDIA], posts: [{ ...POST, media: ['3_77'], quote_of: POSTS.hello }] },
    '$.posts[0].media',
    /does not go with quote_of/,
  ],
  [
    'a video goes alone (behaviours 4)',
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
    'a stored post keeps what it answers',
    { posts: [{ id: POSTS.reply, author: 'bob', text: 'Good morning!' }] },
    '$.posts[0].in_reply_to',
    /differs from post/,
  ],
  [
    'a stored post keeps what it quotes',
    { posts: [{ ...SECRET, quote_of: POSTS.hello }] },
    '$.posts[0].quote_of',
    /differs from post/,
  ],
  [
    'a stored repost stays one',
    { posts: [{ id: POSTS.repost, author: 'bob', text: 'words of my own' }] },
    '$.posts[0].repost_of',
    /differs from post/,
  ],
  ['a post id stands once', { posts: [POST, POST] }, '$.posts[1].id', /stands at/],
  [
    'a post of the database keeps its author',
    { posts: [{ ...POST, id: POSTS.hello, author: 'bob' }] },
    '$.posts[0].id',
    /user 1001/,
  ],
  [
    'replies answer a post',
    { posts: [{ ...POST, in_reply_to: '5' }] },
    '$.posts[0].in_reply_to',
    /no post 5/,
  ],
  [
    'replies answer an older post',
    { posts: [{ ...POST, id: '1400000000000000000', in_reply_to: POSTS.hello }] },
    '$.posts[0].in_reply_to',
    /must be older/,
  ],
  ['quotes quote a post', { posts: [{ ...POST, quote_of: '5' }] }, '$.posts[0].quote_of', /no post 5/],
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
  ['only replies are hidden', { posts: [{ ...POST, hidden: true }] }, '$.posts[0].hidden', /only a reply/],
  [
    'polls have 2 to 4 options',
    { posts: [{ ...POST, poll: { options: ['a'], duration_minutes: 60 } }] },
    '$.posts[0].poll.options',
    /2 to 4 entries/,
  ],
  [
    'poll options differ',
    { posts: [{ ...POST, poll: { options: ['a', 'a'], duration_minutes: 60 } }] },
    '$.posts[0].poll.options',
    /differ/,
  ],
  [
    'polls have one number of votes an option',
    { posts: [{ ...POST, poll: { options: ['a', 'b'], duration_minutes: 60, votes: [1] } }] },
    '$.posts[0].poll.votes',
    /one number for each/,
  ],
];

test.each(REFUSALS)('%s', (_rule, document, path, reason) => expectRefusal(document, path, reason));

test.each([
  ['votes', { options: ['a', 'b'], votes: [1, 'x'] }, '$.posts[0].poll.votes[1]'],
  ['options', { options: ['a', 'b'.repeat(26)], votes: [1, 2] }, '$.posts[0].poll.options[1]'],
])('a wrong value among %s is one fault and no second', async (_key, poll, path) => {
  const faults = await faultsOf({ posts: [{ ...POST, poll: { duration_minutes: 60, ...poll } }] });
  expect(faults.map((fault) => fault.slice(0, fault.indexOf(':')))).toEqual([path]);
});
