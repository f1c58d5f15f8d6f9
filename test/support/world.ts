/** A small network that most tests start from; ids are strings, as in world files. */
export const USERS = {
  alice: '1001',
  bob: '1002',
  carol: '1003',
  /** Protected; bob follows, carol has a pending request. */
  dave: '1004',
  /** Blocked by alice. */
  mallory: '1005',
} as const;
export type Username = keyof typeof USERS;

export const APP = {
  id: '2001',
  api_key: 'testapikey',
  api_secret: 'testapisecret',
  bearer_token: 'testbearer',
  client_id: 'testclient',
  client_secret: 'testclientsecret',
} as const;

export const POSTS = {
  /** By alice, public. */
  hello: '1500000000000000001',
  /** By bob, a reply to `hello`. */
  reply: '1500000000000000002',
  /** By dave, protected. */
  secret: '1500000000000000003',
  /** By carol, a quote of `hello`. */
  quote: '1500000000000000004',
  /** By bob, a repost of `hello`. */
  repost: '1500000000000000005',
} as const;

/** Returns the document of the standard world. */
export function standardWorld(): Record<string, unknown[]> {
  return {
    users: [
      { id: USERS.alice, username: 'alice', name: 'Alice', created_at: '2020-01-01T00:00:00Z' },
      { id: USERS.bob, username: 'bob', name: 'Bob', created_at: '2020-01-02T00:00:00Z' },
      { id: USERS.carol, username: 'carol', name: 'Carol', created_at: '2020-01-03T00:00:00Z' },
      { id: USERS.dave, username: 'dave', name: 'Dave', protected: true, created_at: '2020-01-04T00:00:00Z' },
      { id: USERS.mallory, username: 'mallory', name: 'Mallory', created_at: '2020-01-05T00:00:00Z' },
    ],
    follows: [
      { from: 'bob', to: 'alice' },
      { from: 'bob', to: 'dave' },
      { from: 'carol', to: 'alice' },
      { from: 'carol', to: 'dave', pending: true },
    ],
    blocks: [{ from: 'alice', to: 'mallory' }],
    mutes: [{ from: 'carol', to: 'bob' }],
    posts: [
      { id: POSTS.hello, author: 'alice', text: 'Hello from the pond #birds' },
      { id: POSTS.reply, author: 'bob', text: 'Good morning!', in_reply_to: POSTS.hello },
      { id: POSTS.secret, author: 'dave', text: 'Nobody but followers reads this' },
      { id: POSTS.quote, author: 'carol', text: 'Look at this', quote_of: POSTS.hello },
      { id: POSTS.repost, author: 'bob', repost_of: POSTS.hello },
    ],
    likes: [{ user: 'carol', post: POSTS.hello }],
    bookmarks: [{ user: 'bob', post: POSTS.hello }],
    apps: [
      {
        ...APP,
        name: 'test app',
        owner: 'alice',
        access_level: 'elevated',
        track: 'academic_research',
        permissions: 'read_write_dm',
        redirect_uris: ['http://127.0.0.1:3000/callback'],
      },
    ],
    tokens: [],
  };
}

/** A place with a name, a country and a box. */
export const BOULDER = {
  id: '01a9',
  full_name: 'Boulder, CO',
  name: 'Boulder',
  country: 'United States',
  country_code: 'US',
  place_type: 'city',
  bbox: [-105.301758, 39.964069, -105.178505, 40.094551],
} as const;
