import { expect, test } from 'vitest';
import { WorldRefused } from '../../src/world/faults.js';
import { hasUsers } from '../../src/stores/users.js';
import { startTestApp } from '../support/app.js';
import { APP, POSTS, standardWorld, USERS } from '../support/world.js';
import { createRefuser, type Refusal } from './refusals.js';

const { faultsOf, expectRefusal } = createRefuser();

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

const REFUSALS: readonly Refusal[] = [
  ['a document is an object', [], '$', /must be an object/],
  ['unknown sections are refused', { user: [] }, '$.user', /no known key; did you mean users\?/],
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
    'unpaired surrogates are refused',
    { users: [{ ...USER, name: '\ud800' }] },
    '$.users[0].name',
    /must be a string/,
  ],
  ['flags are booleans', { users: [{ ...USER, protected: 'yes' }] }, '$.users[0].protected', /true or false/],
  ['null is no value', { users: [{ ...USER, url: null }] }, '$.users[0].url', /must be a string/],
  [
    'enumerated values are known',
    { users: [{ ...USER, receives_dms: 'nobody' }] },
    '$.users[0].receives_dms',
    /one of everyone, following/,
  ],
  [
    'times are well-formed',
    { users: [{ ...USER, created_at: '2020-01-01' }] },
    '$.users[0].created_at',
    /time as/,
  ],
  [
    'times are valid',
    { users: [{ ...USER, created_at: '2021-02-29T00:00:00Z' }] },
    '$.users[0].created_at',
    /time as/,
  ],
  [
    'ids are unique',
    { users: [USER, { ...USER, username: 'frank' }] },
    '$.users[1].id',
    /stands at \$\.users\[0\]\.id already/,
  ],
  [
    'usernames are unique in any case',
    { users: [USER, { ...USER, id: '2', username: 'ERIN' }] },
    '$.users[1].username',
    /stands at/,
  ],
  [
    'a stored username belongs to its user',
    { users: [{ ...USER, username: 'Alice' }] },
    '$.users[0].username',
    /belongs to user 1001/,
  ],
  ['a stored id keeps its username', { users: [{ ...USER, id: USERS.bob }] }, '$.users[0].id', /@bob/],
  [
    'a pinned post is by the user',
    { users: [{ ...USER, pinned_post: POSTS.hello }] },
    '$.users[0].pinned_post',
    /another user's/,
  ],
  [
    'follows refer to existing users',
    { follows: [{ from: 'alice', to: 'nobody' }] },
    '$.follows[0].to',
    /no user "nobody"/,
  ],
  ['nobody follows themselves', { follows: [{ from: 'bob', to: 'Bob' }] }, '$.follows[0].to', /is @bob/],
  ['nobody blocks themselves', { blocks: [{ from: 'bob', to: 'bob' }] }, '$.blocks[0].to', /is @bob/],
  ['mutes name users', { mutes: [{ from: 'nobody', to: 'bob' }] }, '$.mutes[0].from', /no user/],
  [
    'only protected accounts have pending follows',
    { follows: [{ from: 'carol', to: 'bob', pending: true }] },
    '$.follows[0].pending',
    /not protected/,
  ],
  [
    'a follow is either pending or accepted',
    {
      follows: [
        { from: 'alice', to: 'dave' },
        { from: 'alice', to: 'dave', pending: true },
      ],
    },
    '$.follows[1].pending',
    /differs from \$\.follows\[0\]/,
  ],
  ['no text holds U+0000', { users: [{ ...USER, name: 'a\0b' }] }, '$.users[0].name', /without U\+0000/],
  ['media exist', { posts: [{ ...POST, media: ['3_5'] }] }, '$.posts[0].media[0]', /no such media/],
  [
    'media are used in one post only',
    {
      media: [MEDIA],
      posts: [POST, { ...POST, id: '1600000000000000001' }].map((p) => ({ ...p, media: ['3_77'] })),
    },
    '$.posts[1].media[0]',
    /is used at \$\.posts\[0\]\.media\[0\]/,
  ],
  [
    'media belong to the author',
    { media: [{ ...MEDIA, owner: 'bob' }], posts: [{ ...POST, media: ['3_77'] }] },
    '$.posts[0].media[0]',
    /belongs to @bob/,
  ],
  [
    'media ids are unique',
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
    'bookmarks have a user',
    { bookmarks: [{ user: 'x', post: POSTS.hello }] },
    '$.bookmarks[0].user',
    /no user/,
  ],
  ['apps have an owner', { apps: [{ ...NEW_APP, owner: 'nobody' }] }, '$.apps[0].owner', /no user/],
  [
    'an api_key belongs to one app',
    { apps: [{ ...NEW_APP, api_key: APP.api_key }] },
    '$.apps[0]',
    /api_key .*another app/,
  ],
  [
    'client ids are unique in a file',
    { apps: [NEW_APP, { ...NEW_APP, id: '2003', api_key: 'k3', bearer_token: 'b3' }] },
    '$.apps[1].client_id',
    /stands at/,
  ],
  [
    'redirect URIs are absolute',
    { apps: [{ ...NEW_APP, redirect_uris: ['/callback'] }] },
    '$.apps[0]',
    /must be an absolute URI/,
  ],
  ['tokens name an app', { tokens: [{ ...OAUTH1, app: '5' }] }, '$.tokens[0].app', /no app 5/],
  ['tokens have a kind', { tokens: [{ ...OAUTH1, kind: 'basic' }] }, '$.tokens[0].kind', /oauth1, oauth2/],
  [
    'OAuth 1.0a tokens start with their user’s id',
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
];

test.each(REFUSALS)('%s', (_rule, document, path, reason) => expectRefusal(document, path, reason));

test('an invalid user is one fault, not one per post', async () => {
  const faults = await faultsOf({
    users: [{ ...USER, username: 'alice' }],
    posts: [{ id: POSTS.hello, author: 'alice', text: 'Hello from the pond #birds' }],
  });
  expect(faults).toEqual(['$.users[0].username: belongs to user 1001 in the database']);
});

test('every fault is reported, of form and of reference', async () => {
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

test('a thousand faults are listed and the rest counted', async () => {
  await using app = await startTestApp();
  const users = Array.from({ length: 400 }, () => ({}));
  const refused = await app.load({ users }).catch((error: unknown) => error);
  if (!(refused instanceof WorldRefused)) throw refused;
  expect(refused.faults.length).toBe(1000);
  expect(refused.unlisted).toBe(400 * 3 - 1000);
});

test('a refused file stores nothing', async () => {
  await using app = await startTestApp({ world: null });
  const world: Record<string, unknown[]> = { ...standardWorld(), tokens: [{ ...OAUTH1, user: 'nobody' }] };
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
  expect(await hasUsers(app.pipit.backend.engine)).toBe(false);
});
