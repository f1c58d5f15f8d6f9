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

const TEXT = { blocks: [{ type: 'unstyled', text: 'Heron' }], entities: [] };
const ARTICLE = { id: '1600000000000000010', author: 'alice', title: 'Herons', content_state: TEXT };
const GROUP = { id: '1600000000000000020', participants: ['alice', 'bob'] };
const LIST = { id: '1600000000000000030', owner: 'alice', name: 'Birds', members: ['bob', 'carol'] };
const withNotification = (entry: object) => ({ notifications: [{ user: 'bob', notifications: [entry] }] });

test.each([
  [
    'an article has a body',
    { articles: [{ ...ARTICLE, content_state: { blocks: [], entities: [] } }] },
    '$.articles[0].content_state.blocks',
    /1 to 1000 entries/,
  ],
  [
    'ranges of an article are within its texts',
    {
      articles: [
        {
          ...ARTICLE,
          content_state: {
            blocks: [{ ...TEXT.blocks[0], entity_ranges: [{ offset: 0, length: 9, key: 0 }] }],
            entities: [],
          },
        },
      ],
    },
    '$.articles[0].content_state.blocks[0].entity_ranges[0]',
    /is not within the text/,
  ],
  [
    'covers exist',
    { articles: [{ ...ARTICLE, cover_media: '3_9' }] },
    '$.articles[0].cover_media',
    /no such media/,
  ],
  [
    'a post publishes an article of the file',
    { posts: [{ id: POST.id, author: 'alice', article: '5' }] },
    '$.posts[0].article',
    /no article 5 in this file/,
  ],
  [
    'a post publishes an article of its author',
    { articles: [ARTICLE], posts: [{ id: POST.id, author: 'bob', article: ARTICLE.id }] },
    '$.posts[0].article',
    /is by @alice/,
  ],
  [
    'the post of an article has no text of its own',
    { articles: [ARTICLE], posts: [{ ...POST, article: ARTICLE.id }] },
    '$.posts[0].text',
    /does not go with article/,
  ],
  [
    'only groups are joined',
    { conversations: [{ participants: ['alice', 'bob'], messages: [{ from: 'alice', joined: 'bob' }] }] },
    '$.conversations[0].messages[0].joined',
    /is for groups/,
  ],
  [
    'who joins says nothing',
    { conversations: [{ ...GROUP, messages: [{ from: 'alice', joined: 'bob', text: 'hi' }] }] },
    '$.conversations[0].messages[0].text',
    /is no known key/,
  ],
  [
    'only participants see messages',
    { conversations: [{ ...GROUP, messages: [{ from: 'alice', text: 'hi', seen_by: ['carol'] }] }] },
    '$.conversations[0].messages[0].seen_by[0]',
    /@carol is not among the participants/,
  ],
  [
    'a deleted user has left all groups',
    { conversations: [{ ...GROUP, participants: ['alice', 'id:77'], messages: [] }] },
    '$.conversations[0].participants[1]',
    /is a deleted user/,
  ],
  [
    'only participants read messages',
    { conversations: [{ ...GROUP, messages: [], read_up_to: [{ user: 'carol', message: '5' }] }] },
    '$.conversations[0].read_up_to[0].user',
    /@carol is not among the participants/,
  ],
  [
    'each member of a List has an id, or none has',
    { lists: [{ ...LIST, member_ids: ['5'] }] },
    '$.lists[0].member_ids',
    /one id for each of members: 2/,
  ],
  [
    'ids of memberships differ',
    { lists: [{ ...LIST, member_ids: ['5', '5'] }] },
    '$.lists[0].member_ids[1]',
    /stands at \$\.lists\[0\]\.member_ids\[0\] already/,
  ],
  [
    'ids of follows differ',
    {
      follows: [
        { from: 'alice', to: 'bob', id: '5' },
        { from: 'alice', to: 'carol', id: '5' },
      ],
    },
    '$.follows[1].id',
    /stands at \$\.follows\[0\]\.id already/,
  ],
  [
    'a like has an id or a time',
    { likes: [{ user: 'bob', post: POSTS.hello, id: '5', at: 'now' }] },
    '$.likes[0].at',
    /does not go with id/,
  ],
  [
    'a search has words',
    { saved_searches: [{ id: '5', user: 'bob', query: ' ' }] },
    '$.saved_searches[0].query',
    /must be/,
  ],
  [
    'a notification of a like names the post',
    withNotification({ kind: 'like', first: '5' }),
    '$.notifications[0].notifications[0].post',
    /is missing/,
  ],
  [
    'a notification of a follow names no post',
    withNotification({ kind: 'follow', post: POSTS.hello, first: '5' }),
    '$.notifications[0].notifications[0].post',
    /does not go with follow/,
  ],
  [
    'a notification ends after it began',
    withNotification({ kind: 'follow', first: '5', last: '4' }),
    '$.notifications[0].notifications[0].last',
    /is smaller than first/,
  ],
  [
    'only suspended accounts have a suspension',
    { users: [{ id: '77', username: 'erin', name: 'Erin', suspension: { suspended_at: 'now' } }] },
    '$.users[0].suspension',
    /is of an account that is not suspended/,
  ],
  [
    'the period of an account that is not protected has ended',
    {
      users: [
        {
          id: '77',
          username: 'erin',
          name: 'Erin',
          protected_periods: [{ started_at: '2022-01-01T00:00:00Z' }],
        },
      ],
    },
    '$.users[0].protected_periods[0].ended_at',
    /is missing/,
  ],
] satisfies Refusal[])('%s', async (_rule, document, path, reason) => {
  await expectRefusal(document, path, reason);
});
