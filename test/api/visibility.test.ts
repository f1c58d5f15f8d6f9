import { describe, expect, test } from 'vitest';
import { missingTarget, notAuthorized, notFound, suspended } from './support/errors.js';
import {
  ID,
  postId,
  startNetwork,
  type Caller,
  type Network,
  type Name,
  type World,
} from './support/network.js';

/**
 * Who may see and use which post, on every path that leads to it (docs/api/authentication.md#credentials; docs/api/objects.md#visibility, docs/api/people.md#follows-blocks-and-mutes). alice writes; the others stand to her as `relations` says.
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

/** Who of the viewers sees a post of each kind; `app` is an app without a user. */
const SEEN_BY: Readonly<Record<Kind, readonly string[]>> = {
  public: ['app', 'self', 'stranger', 'follower', 'blocker', 'muter'],
  protected: ['self', 'follower'],
  'followers-only': ['self', 'follower'],
  deleted: [],
  suspended: ['self'],
};

/** Who of those may answer and quote: not over a block, and quotes of restricted posts by their author alone. */
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

/** alice's post, pinned by her; grace's reply to it, which everybody sees. */
async function networkWith(kind: Kind): Promise<Network> {
  const network = await startNetwork({
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

/** Fails unless the error is the one that this kind of post gets where it cannot be seen. */
function expectRefusal(kind: Kind, errors: unknown, parameter: string, section: 'data' | 'includes'): void {
  const error =
    kind === 'deleted' ? notFound('tweet', parameter, TARGET) : notAuthorized(parameter, TARGET, section);
  expect(errors).toEqual([error]);
}

describe.each(KINDS)('a %s post', (kind) => {
  // A suspended author cannot sign in to look; who else sees it is what counts.
  const isAsked = (relation: string): boolean => kind !== 'suspended' || relation !== 'self';

  test('by id is seen by those who may, and an error entry for all others', async () => {
    const network = await networkWith(kind);
    for (const [relation, viewer] of viewersOf(network).filter(([name]) => isAsked(name))) {
      const { status, body } = await viewer.get(`/2/tweets/${TARGET}`);
      expect(status).toBe(200);
      expect(body.data?.text, relation).toBe(SEEN_BY[kind].includes(relation) ? 'Target' : undefined);
      if (SEEN_BY[kind].includes(relation)) expect(body.errors, relation).toBeUndefined();
      else expectRefusal(kind, body.errors, 'id', 'data');
    }
  });

  test('among ids is seen by the same, beside the others', async () => {
    const network = await networkWith(kind);
    for (const [relation, viewer] of viewersOf(network).filter(([name]) => isAsked(name))) {
      const { body } = await viewer.get(`/2/tweets?ids=${TARGET},${REPLY}`);
      const ids = (body.data as { id: string }[]).map(({ id }) => id);
      expect(ids, relation).toEqual(SEEN_BY[kind].includes(relation) ? [TARGET, REPLY] : [REPLY]);
      if (!SEEN_BY[kind].includes(relation)) expectRefusal(kind, body.errors, 'ids', 'data');
    }
  });

  test('behind a reference is included for the same', async () => {
    const network = await networkWith(kind);
    for (const [relation, viewer] of viewersOf(network).filter(([name]) => isAsked(name))) {
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

  test('pinned is included for the same', async () => {
    const network = await networkWith(kind);
    for (const [relation, viewer] of viewersOf(network).filter(([name]) => isAsked(name))) {
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

  test('is answered by those who see it and are not blocked', async () => {
    const network = await networkWith(kind);
    for (const name of VIEWERS.filter((viewer) => isAsked(RELATION[viewer]))) {
      const sent = { text: `From ${name}`, in_reply_to_tweet_id: TARGET };
      const { status, body } = await network.as(name).post('/2/tweets', sent);
      const isAllowed = REPLIED_TO_BY[kind].includes(RELATION[name]);
      expect(status, RELATION[name]).toBe(isAllowed ? 201 : 403);
      if (!isAllowed) expect(body).toMatchObject({ title: 'Forbidden', type: 'about:blank', status: 403 });
    }
  });

  test('is quoted by those who see it and may carry it further', async () => {
    const network = await networkWith(kind);
    for (const name of VIEWERS.filter((viewer) => isAsked(RELATION[viewer]))) {
      const sent = { text: `From ${name}`, quote_tweet_id: TARGET };
      const { status } = await network.as(name).post('/2/tweets', sent);
      expect(status, RELATION[name]).toBe(QUOTED_BY[kind].includes(RELATION[name]) ? 201 : 403);
    }
  });

  test('cannot be deleted by anybody else, and is unknown to those who do not see it', async () => {
    const network = await networkWith(kind);
    for (const name of VIEWERS.filter((viewer) => viewer !== 'alice')) {
      const { status, body } = await network.as(name).delete(`/2/tweets/${TARGET}`);
      const sees = SEEN_BY[kind].includes(RELATION[name]);
      expect(status, RELATION[name]).toBe(sees ? 403 : 404);
      if (!sees) expect(body).toEqual(missingTarget('tweet', 'id', TARGET));
    }
  });
});

describe('what was seen before', () => {
  const posts = [{ id: TARGET, author: 'alice', text: 'Target' }];
  const PATH = `/2/tweets/${TARGET}?expansions=author_id`;

  test('is not seen once it is deleted', async () => {
    const { app, as } = await startNetwork({ posts });
    for (const viewer of [app, as('bob')]) expect((await viewer.get(PATH)).body.data.text).toBe('Target');
    await as('alice').delete(`/2/tweets/${TARGET}`);
    for (const viewer of [app, as('bob')]) {
      expect((await viewer.get(PATH)).body).toEqual({ errors: [notFound('tweet', 'id', TARGET)] });
    }
  });

  test('is not seen once its author is suspended, whose token ends with it', async () => {
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

  test('is not seen once its author blocks the viewer', async () => {
    const { as, add } = await startNetwork({ posts });
    expect((await as('bob').get(PATH)).body.data.text).toBe('Target');
    await add({ blocks: [{ from: 'alice', to: 'bob' }] });
    expect((await as('bob').get(PATH)).body).toEqual({ errors: [notAuthorized('id', TARGET, 'data')] });
  });

  test('is found once it is made, having been missing', async () => {
    const { app, add } = await startNetwork();
    expect((await app.get(PATH)).body.data).toBeUndefined();
    await add({ posts });
    expect((await app.get(PATH)).body.data.text).toBe('Target');
  });
});

describe('what visibility is not', () => {
  test('a follow request is no follow', async () => {
    const { as } = await startNetwork({
      users: [{ username: 'alice', protected: true }],
      follows: [{ from: 'bob', to: 'alice', pending: true }],
      posts: [{ id: TARGET, author: 'alice', text: 'Target' }],
    });
    expect((await as('bob').get(`/2/tweets/${TARGET}`)).body.data).toBeUndefined();
  });

  test('a profile stays public when its posts are not, and to the blocked', async () => {
    const { as, app } = await startNetwork({
      users: [{ username: 'alice', protected: true, description: 'Quiet' }],
      blocks: [{ from: 'alice', to: 'dave' }],
    });
    for (const viewer of [app, as('bob'), as('dave')]) {
      const { body } = await viewer.get(`/2/users/${ID.alice}?user.fields=description,protected`);
      expect(body.data).toMatchObject({ username: 'alice', description: 'Quiet', protected: true });
    }
  });

  test('the author of a protected post behind a public reply is still a user to be shown', async () => {
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

  /** bob's repost of alice's post. */
  const reposted: World = {
    posts: [
      { id: TARGET, author: 'alice', text: 'Not for everyone' },
      { id: REPOST, author: 'bob', repost_of: TARGET },
    ],
  };

  test('does not carry a protected author’s words to strangers', async () => {
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

  test('does not carry a blocker’s words to the blocked', async () => {
    const { as } = await startNetwork({ ...reposted, blocks: [{ from: 'alice', to: 'dave' }] });
    const { body } = await as('dave').get(`/2/tweets/${REPOST}`);
    expect(JSON.stringify(body)).not.toContain('Not for everyone');
  });

  test('does not carry a suspended author’s words', async () => {
    const { app, suspend } = await startNetwork(reposted);
    await suspend('alice');
    const { body } = await app.get(`/2/tweets/${REPOST}`);
    expect(JSON.stringify(body)).not.toContain('Not for everyone');
  });

  test('can always be deleted by who made it, also when the original is out of sight by now', async () => {
    const { as } = await startNetwork({ ...reposted, blocks: [{ from: 'alice', to: 'bob' }] });
    const { status, body } = await as('bob').delete(`/2/tweets/${REPOST}`);
    expect([status, body]).toEqual([200, { data: { deleted: true } }]);
  });

  test('is no way around a block: answering or quoting it is refused like answering or quoting the original', async () => {
    const { as } = await startNetwork({ ...reposted, blocks: [{ from: 'alice', to: 'dave' }] });
    for (const link of [{ in_reply_to_tweet_id: REPOST }, { quote_tweet_id: REPOST }]) {
      const { status } = await as('dave').post('/2/tweets', { text: 'Aha', ...link });
      expect(status).toBe(403);
    }
  });
});

describe('a suspended user', () => {
  test('may not act or read as a user', async () => {
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
