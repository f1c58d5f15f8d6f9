import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingTarget, notAuthorized, notFound, suspended } from './support/errors.js';
import {
  ID,
  openNetwork,
  postId,
  startNetwork,
  type Caller,
  type Network,
  type Name,
  type World,
} from './support/network.js';

/**
 * Visibility of posts at every endpoint (docs/api/authentication.md#credentials, docs/api/objects.md#visibility,
 * docs/api/people.md#follows-blocks-and-mutes). alice is the author;
 * `relations` relates the others to her.
 */

const TARGET = postId(1);
const REPLY = postId(2);
const VIEWERS = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'] as const;
const RELATION: Readonly<Record<Name, string>> = {
  alice: 'self',
  bob: 'stranger',
  carol: 'follower',
  dave: 'blocked',
  erin: 'blocker',
  frank: 'muter',
};

const relations: World = {
  follows: [{ from: 'carol', to: 'alice' }],
  blocks: [
    { from: 'alice', to: 'dave' },
    { from: 'erin', to: 'alice' },
  ],
  mutes: [{ from: 'frank', to: 'alice' }],
};

type Kind = 'public' | 'protected' | 'followers-only' | 'deleted' | 'suspended';

/** The relations that can see each kind of post; `app` is an app without a user. */
const SEEN_BY: Readonly<Record<Kind, readonly string[]>> = {
  public: ['app', 'self', 'stranger', 'follower', 'blocker', 'muter'],
  protected: ['self', 'follower'],
  'followers-only': ['self', 'follower'],
  deleted: [],
  suspended: ['self'],
};

/** The relations that can reply and quote: not with a block, and quotes of restricted posts by their author only. */
const REPLIED_TO_BY: Readonly<Record<Kind, readonly string[]>> = {
  public: ['self', 'stranger', 'follower', 'muter'],
  protected: ['self', 'follower'],
  'followers-only': ['self', 'follower'],
  deleted: [],
  suspended: [],
};
const QUOTED_BY: Readonly<Record<Kind, readonly string[]>> = {
  public: ['self', 'stranger', 'follower', 'muter'],
  protected: ['self'],
  'followers-only': ['self'],
  deleted: [],
  suspended: [],
};

const KINDS = Object.keys(SEEN_BY) as Kind[];

/** Creates a post of alice, pinned, and a reply of grace, which everybody sees. */
async function networkWith(kind: Kind): Promise<Network> {
  const network = await openNetwork({
    ...relations,
    users: [
      { username: 'alice', protected: kind === 'protected', pinned_post: TARGET },
      { username: 'grace', id: '17', name: 'grace the bird' },
    ],
    posts: [
      { id: TARGET, author: 'alice', text: 'Target', super_followers_only: kind === 'followers-only' },
      { id: REPLY, author: 'grace', text: 'Reply', in_reply_to: TARGET },
    ],
  });
  if (kind === 'deleted') await network.as('alice').delete(`/2/tweets/${TARGET}`);
  if (kind === 'suspended') await network.suspend('alice');
  return network;
}

function viewersOf({ app, as }: Network): [string, Caller][] {
  return [['app', app], ...VIEWERS.map((name): [string, Caller] => [RELATION[name], as(name)])];
}

/** Fails unless the error is the expected one for a hidden post of this kind. */
function expectRefusal(kind: Kind, errors: unknown, parameter: string, section: 'data' | 'includes'): void {
  const error =
    kind === 'deleted' ? notFound('tweet', parameter, TARGET) : notAuthorized(parameter, TARGET, section);
  expect(errors).toEqual([error]);
}

describe.each(KINDS)('a %s post', (kind) => {
  // A suspended author cannot sign in.
  const isTested = (relation: string): boolean => kind !== 'suspended' || relation !== 'self';

  // The tests only add replies and quotes, which none of them reads.
  let network: Network;
  beforeAll(async () => {
    network = await networkWith(kind);
  });
  afterAll(() => network.close());

  test('is readable by id where permitted, and an error otherwise', async () => {
    for (const [relation, viewer] of viewersOf(network).filter(([name]) => isTested(name))) {
      const { status, body } = await viewer.get(`/2/tweets/${TARGET}`);
      expect(status).toBe(200);
      expect(body.data?.text, relation).toBe(SEEN_BY[kind].includes(relation) ? 'Target' : undefined);
      if (SEEN_BY[kind].includes(relation)) expect(body.errors, relation).toBeUndefined();
      else expectRefusal(kind, body.errors, 'id', 'data');
    }
  });

  test('is returned among ids where permitted, with the other posts', async () => {
    for (const [relation, viewer] of viewersOf(network).filter(([name]) => isTested(name))) {
      const { body } = await viewer.get(`/2/tweets?ids=${TARGET},${REPLY}`);
      const ids = (body.data as { id: string }[]).map(({ id }) => id);
      expect(ids, relation).toEqual(SEEN_BY[kind].includes(relation) ? [TARGET, REPLY] : [REPLY]);
      if (!SEEN_BY[kind].includes(relation)) expectRefusal(kind, body.errors, 'ids', 'data');
    }
  });

  test('is included as a reference where permitted', async () => {
    for (const [relation, viewer] of viewersOf(network).filter(([name]) => isTested(name))) {
      const { body } = await viewer.get(
        `/2/tweets/${REPLY}?expansions=referenced_tweets.id,referenced_tweets.id.author_id`,
      );
      expect(body.data.referenced_tweets, relation).toEqual([{ type: 'replied_to', id: TARGET }]);
      const included = (body.includes?.tweets ?? []) as { id: string }[];
      expect(
        included.map(({ id }) => id),
        relation,
      ).toEqual(SEEN_BY[kind].includes(relation) ? [TARGET] : []);
      if (!SEEN_BY[kind].includes(relation)) {
        expectRefusal(kind, body.errors, 'referenced_tweets.id', 'includes');
        expect(JSON.stringify(body), relation).not.toContain('"Target"');
      }
    }
  });

  test('is included as a pinned post where permitted', async () => {
    for (const [relation, viewer] of viewersOf(network).filter(([name]) => isTested(name))) {
      const { body } = await viewer.get(`/2/users/${ID.alice}?expansions=pinned_tweet_id`);
      if (kind === 'suspended') {
        expect(body.data, relation).toBeUndefined();
        expect(body.includes, relation).toBeUndefined();
        continue;
      }
      const included = (body.includes?.tweets ?? []) as { id: string }[];
      expect(
        included.map(({ id }) => id),
        relation,
      ).toEqual(SEEN_BY[kind].includes(relation) ? [TARGET] : []);
      if (kind === 'deleted') expect(body.data.pinned_tweet_id, relation).toBeUndefined();
      else if (!SEEN_BY[kind].includes(relation)) {
        expectRefusal(kind, body.errors, 'pinned_tweet_id', 'includes');
      }
    }
  });

  test('accepts replies from viewers who are not blocked', async () => {
    for (const name of VIEWERS.filter((viewer) => isTested(RELATION[viewer]))) {
      const sent = { text: `From ${name}`, in_reply_to_tweet_id: TARGET };
      const { status, body } = await network.as(name).post('/2/tweets', sent);
      const isAllowed = REPLIED_TO_BY[kind].includes(RELATION[name]);
      expect(status, RELATION[name]).toBe(isAllowed ? 201 : 403);
      if (!isAllowed) expect(body).toMatchObject({ title: 'Forbidden', type: 'about:blank', status: 403 });
    }
  });

  test('accepts quotes from viewers who can share it', async () => {
    for (const name of VIEWERS.filter((viewer) => isTested(RELATION[viewer]))) {
      const sent = { text: `From ${name}`, quote_tweet_id: TARGET };
      const { status } = await network.as(name).post('/2/tweets', sent);
      expect(status, RELATION[name]).toBe(QUOTED_BY[kind].includes(RELATION[name]) ? 201 : 403);
    }
  });

  test('cannot be deleted by others, and is unknown to those who cannot see it', async () => {
    for (const name of VIEWERS.filter((viewer) => viewer !== 'alice')) {
      const { status, body } = await network.as(name).delete(`/2/tweets/${TARGET}`);
      const sees = SEEN_BY[kind].includes(RELATION[name]);
      expect(status, RELATION[name]).toBe(sees ? 403 : 404);
      if (!sees) expect(body).toEqual(missingTarget('tweet', 'id', TARGET));
    }
  });
});

describe('a post read before', () => {
  const posts = [{ id: TARGET, author: 'alice', text: 'Target' }];
  const PATH = `/2/tweets/${TARGET}?expansions=author_id`;

  test('is hidden once it is deleted', async () => {
    const { app, as } = await startNetwork({ posts });
    for (const viewer of [app, as('bob')]) expect((await viewer.get(PATH)).body.data.text).toBe('Target');
    await as('alice').delete(`/2/tweets/${TARGET}`);
    for (const viewer of [app, as('bob')]) {
      expect((await viewer.get(PATH)).body).toEqual({ errors: [notFound('tweet', 'id', TARGET)] });
    }
  });

  test('is hidden once its author is suspended, whose token becomes invalid', async () => {
    const { app, as, suspend } = await startNetwork({ posts });
    for (const viewer of [app, as('bob'), as('alice')]) {
      expect((await viewer.get(PATH)).body.includes.users[0].username).toBe('alice');
    }
    await suspend('alice');
    for (const viewer of [app, as('bob')]) {
      const { body } = await viewer.get(PATH);
      expect(body).toEqual({ errors: [notAuthorized('id', TARGET, 'data')] });
      expect((await viewer.get(`/2/users/${ID.alice}`)).body).toEqual({
        errors: [suspended('id', ID.alice)],
      });
    }
    expect((await as('alice').get(PATH)).status).toBe(403);
  });

  test('is hidden once its author blocks the viewer', async () => {
    const { as, add } = await startNetwork({ posts });
    expect((await as('bob').get(PATH)).body.data.text).toBe('Target');
    await add({ blocks: [{ from: 'alice', to: 'bob' }] });
    expect((await as('bob').get(PATH)).body).toEqual({ errors: [notAuthorized('id', TARGET, 'data')] });
  });

  test('is returned once it is created', async () => {
    const { app, add } = await startNetwork();
    expect((await app.get(PATH)).body.data).toBeUndefined();
    await add({ posts });
    expect((await app.get(PATH)).body.data.text).toBe('Target');
  });
});

describe('limits of visibility', () => {
  test('a pending follow request does not make a follower', async () => {
    const { as } = await startNetwork({
      users: [{ username: 'alice', protected: true }],
      follows: [{ from: 'bob', to: 'alice', pending: true }],
      posts: [{ id: TARGET, author: 'alice', text: 'Target' }],
    });
    expect((await as('bob').get(`/2/tweets/${TARGET}`)).body.data).toBeUndefined();
  });

  test('a protected profile stays public, also to blocked users', async () => {
    const { as, app } = await startNetwork({
      users: [{ username: 'alice', protected: true, description: 'Quiet' }],
      blocks: [{ from: 'alice', to: 'dave' }],
    });
    for (const viewer of [app, as('bob'), as('dave')]) {
      const { body } = await viewer.get(`/2/users/${ID.alice}?user.fields=description,protected`);
      expect(body.data).toMatchObject({ username: 'alice', description: 'Quiet', protected: true });
    }
  });

  test('the author of a hidden post can be included for a public reply', async () => {
    const { app } = await startNetwork({
      users: [{ username: 'alice', protected: true }],
      posts: [
        { id: TARGET, author: 'alice', text: 'Target' },
        { id: REPLY, author: 'bob', text: 'Reply', in_reply_to: TARGET },
      ],
    });
    const { body } = await app.get(`/2/tweets/${REPLY}?expansions=in_reply_to_user_id`);
    expect(body.includes.users).toMatchObject([{ username: 'alice' }]);
  });
});

describe('a repost', () => {
  const REPOST = postId(3);

  /** bob’s repost of alice’s post. */
  const reposted: World = {
    posts: [
      { id: TARGET, author: 'alice', text: 'Not for everyone' },
      { id: REPOST, author: 'bob', repost_of: TARGET },
    ],
  };

  test('does not disclose the text of a protected author', async () => {
    const { app, as } = await startNetwork({
      ...reposted,
      users: [{ username: 'alice', protected: true }],
      follows: [{ from: 'carol', to: 'alice' }],
    });
    for (const viewer of [app, as('dave')]) {
      const { body } = await viewer.get(`/2/tweets/${REPOST}?expansions=referenced_tweets.id`);
      expect(JSON.stringify(body)).not.toContain('Not for everyone');
      expect(body.errors.length).toBeGreaterThan(0);
    }
    const follower = await as('carol').get(`/2/tweets/${REPOST}`);
    expect(follower.body.data.text).toBe('RT @alice: Not for everyone');
  });

  test('does not disclose the text of an author who blocks the viewer', async () => {
    const { as } = await startNetwork({ ...reposted, blocks: [{ from: 'alice', to: 'dave' }] });
    const { body } = await as('dave').get(`/2/tweets/${REPOST}`);
    expect(JSON.stringify(body)).not.toContain('Not for everyone');
  });

  test('does not disclose the text of a suspended author', async () => {
    const { app, suspend } = await startNetwork(reposted);
    await suspend('alice');
    const { body } = await app.get(`/2/tweets/${REPOST}`);
    expect(JSON.stringify(body)).not.toContain('Not for everyone');
  });

  test('can be deleted by its author after the original is hidden', async () => {
    const { as } = await startNetwork({ ...reposted, blocks: [{ from: 'alice', to: 'bob' }] });
    const { status, body } = await as('bob').delete(`/2/tweets/${REPOST}`);
    expect([status, body]).toEqual([200, { data: { deleted: true } }]);
  });

  test('does not bypass a block: replies and quotes are refused as for the original', async () => {
    const { as } = await startNetwork({ ...reposted, blocks: [{ from: 'alice', to: 'dave' }] });
    for (const link of [{ in_reply_to_tweet_id: REPOST }, { quote_tweet_id: REPOST }]) {
      const { status } = await as('dave').post('/2/tweets', { text: 'Aha', ...link });
      expect(status).toBe(403);
    }
  });
});

describe('a suspended user', () => {
  test('cannot act or read', async () => {
    const { as, suspend } = await startNetwork({ posts: [{ id: TARGET, author: 'alice', text: 'Target' }] });
    await suspend('alice');
    for (const { status, body } of [
      await as('alice').get('/2/users/me'),
      await as('alice').get(`/2/tweets/${TARGET}`),
      await as('alice').post('/2/tweets', { text: 'Still here' }),
      await as('alice').delete(`/2/tweets/${TARGET}`),
    ]) {
      expect(status).toBe(403);
      expect(body.title).toBe('Forbidden');
    }
  });
});
