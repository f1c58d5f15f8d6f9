import { expect, test } from 'vitest';
import { WorldRefused } from '../../src/world/faults.js';
import { hasNoUsers } from '../../src/storage/users.js';
import { startTestApp } from '../support/app.js';
import { APP, POSTS, standardWorld, USERS } from '../support/world.js';

type World = Record<string, unknown[]>;

/** The faults of a document loaded into a database with the standard world, as `path: reason`. */
async function faultsOf(document: unknown): Promise<string[]> {
  await using app = await startTestApp();
  try {
    await app.load(document);
    return [];
  } catch (error) {
    if (!(error instanceof WorldRefused)) throw error;
    return error.faults.map(({ path, reason }) => `${path}: ${reason}`);
  }
}

const USER = { id: '1', username: 'erin', name: 'Erin' };
const POST = { id: '1600000000000000000', author: 'alice', text: 'new' };
const NEW_APP = {
  ...APP,
  id: '2002',
  name: 'other app',
  owner: 'bob',
  access_level: 'basic',
  track: 'standard',
  permissions: 'read',
  api_key: 'otherkey',
  bearer_token: 'otherbearer',
  client_id: 'otherclient',
  redirect_uris: [],
};
const OAUTH1 = {
  app: APP.id,
  user: 'alice',
  kind: 'oauth1',
  access_token: '1001-a',
  access_token_secret: 's',
};
const MEDIA = { media_key: '3_77', type: 'photo' };

const REFUSALS: readonly [rule: string, document: unknown, path: string, reason: RegExp][] = [
  ['a document is an object', [], '$', /must be an object/],
  ['unknown sections are refused', { user: [] }, '$.user', /no known key; known are users/],
  ['sections are arrays', { users: {} }, '$.users', /must be an array/],
  ['entries are objects', { users: ['erin'] }, '$.users[0]', /must be an object/],
  ['unknown keys are refused', { users: [{ ...USER, nmae: 'x' }] }, '$.users[0].nmae', /no known key/],
  ['keys with signs are quoted', { users: [{ ...USER, 'a b': 1 }] }, '$.users[0]["a b"]', /no known key/],
  ['a user needs an id', { users: [{ username: 'erin', name: 'E' }] }, '$.users[0].id', /is missing/],
  ['ids are strings', { users: [{ ...USER, id: 1 }] }, '$.users[0].id', /must be an id/],
  ['ids have no leading zero', { users: [{ ...USER, id: '01' }] }, '$.users[0].id', /must be an id/],
  [
    'ids fit in 64 bits',
    { users: [{ ...USER, id: '9223372036854775808' }] },
    '$.users[0].id',
    /must be an id/,
  ],
  [
    'usernames have 1 to 15 letters',
    { users: [{ ...USER, username: 'a b' }] },
    '$.users[0].username',
    /username/,
  ],
  [
    'names have at most 50 characters',
    { users: [{ ...USER, name: 'n'.repeat(51) }] },
    '$.users[0].name',
    /it has 51/,
  ],
  [
    'half characters are refused',
    { users: [{ ...USER, name: '\ud800' }] },
    '$.users[0].name',
    /must be a string/,
  ],
  ['flags are booleans', { users: [{ ...USER, protected: 'yes' }] }, '$.users[0].protected', /true or false/],
  ['null is no value', { users: [{ ...USER, url: null }] }, '$.users[0].url', /must be a string/],
  [
    'words are from their list',
    { users: [{ ...USER, receives_dms: 'nobody' }] },
    '$.users[0].receives_dms',
    /one of everyone, following/,
  ],
  [
    'times have their form',
    { users: [{ ...USER, created_at: '2020-01-01' }] },
    '$.users[0].created_at',
    /time as/,
  ],
  [
    'times exist',
    { users: [{ ...USER, created_at: '2021-02-29T00:00:00Z' }] },
    '$.users[0].created_at',
    /time as/,
  ],
  [
    'an id stands once',
    { users: [USER, { ...USER, username: 'frank' }] },
    '$.users[1].id',
    /stands at \$\.users\[0\]\.id already/,
  ],
  [
    'a username stands once, in any case',
    { users: [USER, { ...USER, id: '2', username: 'ERIN' }] },
    '$.users[1].username',
    /stands at/,
  ],
  [
    'a username of the database belongs to its user',
    { users: [{ ...USER, username: 'Alice' }] },
    '$.users[0].username',
    /belongs to user 1001/,
  ],
  [
    'an id of the database keeps its username',
    { users: [{ ...USER, id: USERS.bob }] },
    '$.users[0].id',
    /@bob/,
  ],
  [
    'a pinned post is the user’s own',
    { users: [{ ...USER, pinned_post: POSTS.hello }] },
    '$.users[0].pinned_post',
    /another user's/,
  ],
  [
    'follows name users',
    { follows: [{ from: 'alice', to: 'nobody' }] },
    '$.follows[0].to',
    /no user "nobody"/,
  ],
  ['nobody follows themselves', { follows: [{ from: 'bob', to: 'Bob' }] }, '$.follows[0].to', /is @bob/],
  ['nobody blocks themselves', { blocks: [{ from: 'bob', to: 'bob' }] }, '$.blocks[0].to', /is @bob/],
  ['mutes name users', { mutes: [{ from: 'nobody', to: 'bob' }] }, '$.mutes[0].from', /no user/],
  [
    'only protected accounts are asked',
    { follows: [{ from: 'carol', to: 'bob', pending: true }] },
    '$.follows[0].pending',
    /not protected/,
  ],
  [
    'nobody both asks and follows',
    {
      follows: [
        { from: 'alice', to: 'dave' },
        { from: 'alice', to: 'dave', pending: true },
      ],
    },
    '$.follows[1].pending',
    /differs from \$\.follows\[0\]/,
  ],
  [
    'posts name their author',
    { posts: [{ ...POST, author: 'nobody' }] },
    '$.posts[0].author',
    /no user "nobody"/,
  ],
  ['a post says something', { posts: [{ ...POST, text: '  ' }] }, '$.posts[0].text', /is missing/],
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
  ['media exist', { posts: [{ ...POST, media: ['3_5'] }] }, '$.posts[0].media[0]', /no such media/],
  [
    'media are good for one post',
    {
      media: [MEDIA],
      posts: [POST, { ...POST, id: '1600000000000000001' }].map((p) => ({ ...p, media: ['3_77'] })),
    },
    '$.posts[1].media[0]',
    /is used at \$\.posts\[0\]\.media\[0\]/,
  ],
  [
    'media are their owner’s',
    { media: [{ ...MEDIA, owner: 'bob' }], posts: [{ ...POST, media: ['3_77'] }] },
    '$.posts[0].media[0]',
    /belongs to @bob/,
  ],
  [
    'media ids stand once',
    { media: [MEDIA, { ...MEDIA, media_key: '7_77' }] },
    '$.media[1].media_key',
    /stands at/,
  ],
  ['places exist', { posts: [{ ...POST, place: 'abc' }] }, '$.posts[0].place', /no place "abc"/],
  [
    'boxes are west, south, east, north',
    {
      places: [
        {
          id: 'p1',
          full_name: 'P',
          name: 'P',
          country: 'C',
          country_code: 'CC',
          place_type: 'city',
          bbox: [0, 60, 1, 50],
        },
      ],
    },
    '$.places[0].bbox',
    /west, south/,
  ],
  ['likes name a post', { likes: [{ user: 'bob', post: '5' }] }, '$.likes[0].post', /no post 5/],
  [
    'bookmarks name a user',
    { bookmarks: [{ user: 'x', post: POSTS.hello }] },
    '$.bookmarks[0].user',
    /no user/,
  ],
  ['apps have an owner', { apps: [{ ...NEW_APP, owner: 'nobody' }] }, '$.apps[0].owner', /no user/],
  [
    'an api_key is one app’s',
    { apps: [{ ...NEW_APP, api_key: APP.api_key }] },
    '$.apps[0]',
    /api_key .*another app/,
  ],
  [
    'two apps of a file have two client ids',
    { apps: [NEW_APP, { ...NEW_APP, id: '2003', api_key: 'k3', bearer_token: 'b3' }] },
    '$.apps[1].client_id',
    /stands at/,
  ],
  [
    'redirect URIs are absolute',
    { apps: [{ ...NEW_APP, redirect_uris: ['/callback'] }] },
    '$.apps[0]',
    /not an absolute URI/,
  ],
  ['tokens name an app', { tokens: [{ ...OAUTH1, app: '5' }] }, '$.tokens[0].app', /no app 5/],
  ['tokens have a kind', { tokens: [{ ...OAUTH1, kind: 'basic' }] }, '$.tokens[0].kind', /oauth1, oauth2/],
  [
    'OAuth 1.0a tokens begin with their user’s id (fine point 9)',
    { tokens: [{ ...OAUTH1, access_token: 'abc' }] },
    '$.tokens[0].access_token',
    /must begin with the user's id: 1001-/,
  ],
  [
    'scopes are known',
    { tokens: [{ app: APP.id, user: 'bob', kind: 'oauth2', access_token: 'x', scopes: ['tweet.fly'] }] },
    '$.tokens[0].scopes[0]',
    /must be one of/,
  ],
  [
    'what cannot be held yet is refused, not dropped',
    { lists: [{ id: '1' }] },
    '$.lists',
    /cannot load these yet/,
  ],
];

test.each(REFUSALS)('%s', async (_rule, document, path, reason) => {
  const faults = await faultsOf(document);
  const [fault = 'none'] = faults.filter((line) => line.startsWith(`${path}: `));
  expect(fault, faults.join('\n')).toMatch(reason);
});

test('every fault is told, those of form and those of reference', async () => {
  const faults = await faultsOf({
    users: [{ id: 'x', username: 'erin', name: 'Erin' }],
    posts: [
      { ...POST, author: 'nobody' },
      { ...POST, id: '1600000000000000001', author: 'erin' },
    ],
  });
  expect(faults.map((fault) => fault.slice(0, fault.indexOf(':')))).toEqual([
    '$.users[0].id',
    '$.posts[0].author',
  ]);
});

test('a hundred faults are listed and the others counted', async () => {
  await using app = await startTestApp();
  const users = Array.from({ length: 130 }, () => ({}));
  const refused = await app.load({ users }).catch((error: unknown) => error);
  if (!(refused instanceof WorldRefused)) throw refused;
  expect(refused.faults.length).toBe(100);
  expect(refused.unlisted).toBe(130 * 3 - 100);
});

test('a refused file leaves nothing, whatever it got right', async () => {
  await using app = await startTestApp({ world: null });
  const world: World = { ...standardWorld(), tokens: [{ ...OAUTH1, user: 'nobody' }] };
  await expect(app.load(world)).rejects.toThrow(WorldRefused);
  // Found while storing: the bearer token of the app is the access token of a user.
  const clash = {
    app: APP.id,
    user: 'bob',
    kind: 'oauth2',
    access_token: APP.bearer_token,
    scopes: ['tweet.read'],
  };
  await expect(app.load({ ...standardWorld(), tokens: [clash] })).rejects.toThrow(/\$\.tokens\[0\]/);
  expect(await hasNoUsers(app.pipit.backend.engine)).toBe(true);
});
