import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { rounds } from '../support/rounds.js';
import { standardWorld, USERS, type Username } from '../support/world.js';
import { startCopy } from './support/exported.js';

const NAMES = ['alice', 'bob', 'carol', 'dave'] as const satisfies readonly Username[];
type Name = (typeof NAMES)[number];

/** What a user does, and which of the posts of before it concerns. */
interface Action {
  readonly kind: keyof typeof ACTIONS;
  readonly by: Name;
  readonly to: Name;
  readonly at: number;
}

interface Network {
  readonly app: TestApp;
  readonly tokens: Readonly<Record<Name, string>>;
  readonly posts: string[];
  /** The newest post of each user. */
  readonly newest: Partial<Record<Name, string>>;
  readonly messages: { readonly conversation: string; readonly event: string }[];
  texts: number;
}

interface Given extends Action {
  readonly token: string;
  /** A recent post of anybody. */
  readonly post: string | undefined;
  /** The newest post of the user. */
  readonly own: string | undefined;
}

type Act = (network: Network, given: Given) => Promise<unknown>;

async function write(network: Network, { by, token }: Given, body: object): Promise<void> {
  const { body: answer } = await network.app.post('/2/tweets', token, body);
  if (!answer.data) return;
  network.newest[by] = answer.data.id as string;
  network.posts.push(answer.data.id as string);
}

const text = (network: Network, to: Name): string => `Heron ${(network.texts += 1)} for @${to} #birds`;

async function message(network: Network, token: string, path: string, body: object): Promise<void> {
  const { body: answer } = await network.app.post(path, token, body);
  if (answer.data)
    network.messages.push({ conversation: answer.data.dm_conversation_id, event: answer.data.dm_event_id });
}

/** Requests that may be refused: what matters is the state that they leave. */
const ACTIONS = {
  post: (network, given) => write(network, given, { text: text(network, given.to) }),
  reply: (network, given) =>
    write(network, given, {
      text: text(network, given.to),
      reply: { in_reply_to_tweet_id: given.post },
    }),
  quote: (network, given) =>
    write(network, given, { text: text(network, given.to), quote_tweet_id: given.post }),
  edit: (network, given) =>
    write(network, given, {
      text: text(network, given.to),
      edit_options: { previous_post_id: given.own },
    }),
  remove: ({ app }, { token, own }) => app.delete(`/2/tweets/${own}`, token),
  like: ({ app }, { token, by, post }) => app.post(`/2/users/${USERS[by]}/likes`, token, { tweet_id: post }),
  unlike: ({ app }, { token, by, post }) => app.delete(`/2/users/${USERS[by]}/likes/${post}`, token),
  repost: ({ app }, { token, by, post }) =>
    app.post(`/2/users/${USERS[by]}/retweets`, token, { tweet_id: post }),
  bookmark: ({ app }, { token, by, post }) =>
    app.post(`/2/users/${USERS[by]}/bookmarks`, token, { tweet_id: post }),
  pin: ({ app }, { token, own }) => app.put('/_pipit/pinned_post', token, { post_id: own }),
  hide: ({ app }, { token, post }) => app.put(`/2/tweets/${post}/hidden`, token, { hidden: true }),
  follow: ({ app }, { token, by, to }) =>
    app.post(`/2/users/${USERS[by]}/following`, token, { target_user_id: USERS[to] }),
  unfollow: ({ app }, { token, by, to }) => app.delete(`/2/users/${USERS[by]}/following/${USERS[to]}`, token),
  accept: ({ app }, { token, to }) => app.post(`/_pipit/follow_requests/${USERS[to]}/accept`, token),
  read: async ({ app }, { token }) => {
    const [newest] = (await app.get('/_pipit/notifications', token)).body.data ?? [];
    await app.post('/_pipit/notifications/read', token, { up_to_id: newest?.id });
  },
  poll: (network, given) =>
    write(network, given, {
      text: text(network, given.to),
      poll: { options: ['a', 'b'], duration_minutes: 60 },
    }),
  vote: ({ app }, { token, post, at }) =>
    app.post(`/_pipit/polls/${post}/votes`, token, { option: 1 + (at % 2) }),
  message: (network, { token, to }) =>
    message(network, token, `/2/dm_conversations/with/${USERS[to]}/messages`, { text: text(network, to) }),
  group: (network, { token, to }) =>
    message(network, token, '/2/dm_conversations', {
      conversation_type: 'Group',
      participant_ids: [USERS[to]],
      message: { text: text(network, to) },
    }),
  forget: ({ app, messages }, { token, at }) =>
    app.delete(`/2/dm_events/${messages[at % Math.max(1, messages.length)]?.event ?? '1'}`, token),
  open: ({ app, messages }, { token, at }) => {
    const { conversation = '1-2', event = '1' } = messages[at % Math.max(1, messages.length)] ?? {};
    return app.post(`/_pipit/conversations/${conversation}/read`, token, { up_to_event_id: event });
  },
} as const satisfies Record<string, Act>;

const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom(...(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[])),
  by: fc.constantFrom(...NAMES),
  to: fc.constantFrom(...NAMES),
  at: fc.nat({ max: 1_000 }),
});

const FIELDS =
  'tweet.fields=edit_controls,entities,referenced_tweets,conversation_id,public_metrics,in_reply_to_user_id';

test(
  'a network after any actions is the same when its export is loaded',
  async () => {
    const users = standardWorld()['users']?.map((user) => ({
      ...(user as object),
      receives_dms: 'everyone',
    }));
    await using app = await startTestApp({ world: { ...standardWorld(), users } });
    const issued = await Promise.all(NAMES.map(async (name) => [name, await app.as(name)] as const));
    const tokens = Object.fromEntries(issued) as Record<Name, string>;
    const network: Network = { app, tokens, posts: [], newest: {}, messages: [], texts: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 30, maxLength: 40 }), async (actions) => {
        for (const each of actions) {
          const recent = network.posts.slice(-8);
          const post = recent[each.at % Math.max(1, recent.length)];
          const act: Act = ACTIONS[each.kind];
          await act(network, { ...each, token: tokens[each.by], post, own: network.newest[each.by] });
        }
        const asked = NAMES.flatMap((name) => [
          [`/2/users/${USERS[name]}/tweets?${FIELDS}`, tokens[name]] as const,
          [`/2/users/${USERS[name]}/mentions?${FIELDS}`, tokens[name]] as const,
          ['/_pipit/notifications', tokens[name]] as const,
          ['/_pipit/conversations', tokens[name]] as const,
        ]);
        const { copy } = await startCopy(
          app,
          asked.map(([path, token]) => [path, token]),
        );
        await copy.close();
      }),
      { numRuns: rounds(2), endOnFailure: true },
    );
    expect(network.posts).not.toEqual([]);
  },
  rounds(60_000),
);
