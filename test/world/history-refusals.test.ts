import { expect, test } from 'vitest';
import { POSTS } from '../support/world.js';
import { createRefuser, type Refusal } from './refusals.js';

const { faultsOf, expectRefusal } = createRefuser();

const POST = { id: '1600000000000000000', author: 'alice', text: 'new' };
const EDIT = { id: '1600000000000000001', text: 'newer' };
const GONE = { id: '1590000000000000000', author: 'bob' };
const POLL = { options: ['a', 'b'], duration_minutes: 60 };

const REFUSALS: readonly Refusal[] = [
  [
    'a later version has a greater id',
    { posts: [{ ...POST, edits: [EDIT, { ...EDIT, id: '1599999999999999999' }] }] },
    '$.posts[0].edits[1].id',
    /must be greater than 1600000000000000001/,
  ],
  [
    'the ids of versions are those of no other post',
    {
      posts: [
        { ...POST, edits: [EDIT] },
        { ...EDIT, author: 'bob' },
      ],
    },
    '$.posts[1].id',
    /stands at \$\.posts\[0\]\.edits\[0\]\.id already/,
  ],
  [
    'a version is no other post of the database',
    {
      posts: [
        { id: '1400000000000000000', author: 'alice', text: 'x', edits: [{ id: POSTS.hello, text: 'y' }] },
      ],
    },
    '$.posts[0].edits[0].id',
    /is another post in the database/,
  ],
  [
    'a post is edited at most five times',
    {
      posts: [
        {
          ...POST,
          edits: Array.from({ length: 6 }, (_, at) => ({ id: `160000000000000000${at + 1}`, text: 'x' })),
        },
      ],
    },
    '$.posts[0].edits',
    /must have 1 to 5 entries; it has 6/,
  ],
  [
    'polls are not edited',
    { posts: [{ ...POST, poll: POLL, edits: [EDIT] }] },
    '$.posts[0].edits',
    /does not go with poll/,
  ],
  [
    'reposts are not edited',
    { posts: [{ id: POST.id, author: 'carol', repost_of: POSTS.hello, edits: [EDIT] }] },
    '$.posts[0].edits',
    /does not go with repost_of/,
  ],
  [
    'a version is not empty',
    { posts: [{ ...POST, edits: [{ id: EDIT.id }] }] },
    '$.posts[0].edits[0].text',
    /is missing or blank/,
  ],
  [
    'the text of a version weighs at most 280',
    { posts: [{ ...POST, edits: [{ ...EDIT, text: 'a'.repeat(281) }] }] },
    '$.posts[0].edits[0].text',
    /is too long/,
  ],
  [
    'a version shows media that exist',
    { posts: [{ ...POST, edits: [{ ...EDIT, media: ['3_9'] }] }] },
    '$.posts[0].edits[0].media[0]',
    /no such media/,
  ],
  [
    'a place is there or removed',
    { posts: [{ ...POST, place: 'p', place_removed_at: 'now' }] },
    '$.posts[0].place_removed_at',
    /does not go with place/,
  ],
  [
    'voters have one list for each option',
    { posts: [{ ...POST, poll: { ...POLL, voters: [['bob']] } }] },
    '$.posts[0].poll.voters',
    /one list for each of the 2 options/,
  ],
  [
    'a user votes once',
    { posts: [{ ...POST, poll: { ...POLL, voters: [['bob'], ['Bob']] } }] },
    '$.posts[0].poll.voters[1][0]',
    /@Bob has voted at \$\.posts\[0\]\.poll\.voters\[0\]\[0\] already/,
  ],
  [
    'voters exist',
    { posts: [{ ...POST, poll: { ...POLL, voters: [['nobody'], []] } }] },
    '$.posts[0].poll.voters[0][0]',
    /no user "nobody"/,
  ],
  [
    'an option has at least as many votes as voters',
    { posts: [{ ...POST, poll: { ...POLL, votes: [0, 1], voters: [['bob'], []] } }] },
    '$.posts[0].poll.voters[0]',
    /more users than the option has votes: 0/,
  ],
  [
    'a post is not there and deleted',
    { posts: [POST], deleted_posts: [{ ...GONE, id: POST.id }] },
    '$.deleted_posts[0].id',
    /stands at \$\.posts\[0\]\.id already/,
  ],
  [
    'a user is not there and deleted',
    { users: [{ id: '77', username: 'erin', name: 'Erin' }], deleted_users: [{ id: '77' }] },
    '$.deleted_users[0].id',
    /stands at \$\.users\[0\]\.id already/,
  ],
  [
    'a deleted post is not reposted',
    { posts: [{ id: POST.id, author: 'alice', repost_of: GONE.id }], deleted_posts: [GONE] },
    '$.posts[0].repost_of',
    /no post 1590000000000000000/,
  ],
  [
    'a deleted post is not liked',
    { likes: [{ user: 'bob', post: GONE.id }], deleted_posts: [GONE] },
    '$.likes[0].post',
    /no post 1590000000000000000/,
  ],
  [
    'a deleted post had an author',
    { deleted_posts: [{ ...GONE, author: 'nobody' }] },
    '$.deleted_posts[0].author',
    /no user "nobody"/,
  ],
  [
    'a user who exists is named by username',
    { deleted_posts: [{ ...GONE, author: 'id:1001' }] },
    '$.deleted_posts[0].author',
    /user 1001 exists/,
  ],
  [
    'the id of a deleted user has 64 bits',
    { deleted_posts: [{ ...GONE, author: 'id:9999999999999999999' }] },
    '$.deleted_posts[0].author',
    /no user/,
  ],
];

test.each(REFUSALS)('%s', async (_rule, document, path, reason) => {
  await expectRefusal(document, path, reason);
});

test('replies to deleted posts load', async () => {
  const reply = { ...POST, in_reply_to: GONE.id };
  expect(await faultsOf({ posts: [reply], deleted_posts: [GONE] })).toEqual([]);
});
