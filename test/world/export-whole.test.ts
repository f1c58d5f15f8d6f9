import { expect, test } from 'vitest';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import { setOperator } from '../../src/services/accounts/operators.js';
import { changePrivacy } from '../../src/services/accounts/settings.js';
import { deactivateAccount, standingOf, suspendAccount } from '../../src/services/accounts/standing.js';
import { findUserByUsername } from '../../src/stores/users.js';
import type { TestApp } from '../support/app.js';
import type { LooseJson } from '../support/loose-json.js';
import { POSTS, standardWorld, USERS } from '../support/world.js';
import { startCopy, startWith, type Asked } from './support/exported.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Sent = (path: string, token: string, body?: object) => Promise<LooseJson>;

function sender(app: TestApp): Sent {
  return async (path, token, body) => {
    const { status, body: answer } = await app.post(path, token, body ?? {});
    expect([path, status < 300, answer]).toEqual([path, true, answer]);
    return answer?.data;
  };
}

async function userIdOf(app: TestApp, username: string) {
  const user = await findUserByUsername(app.pipit.backend.engine, username);
  if (!user) throw new Error(`${username} is in the world`);
  return user;
}

/** A world with media, for articles. */
function world() {
  const media = ['81', '82', '83'].map((id) => ({
    media_key: `3_${id}`,
    type: 'photo',
    owner: 'alice',
    files: [{ name: `${id}/${'p'.repeat(32)}.png`, data: PIXEL }],
    url: `/media/${id}/${'p'.repeat(32)}.png`,
  }));
  const users = standardWorld()['users']?.map((user) => ({ ...(user as object), receives_dms: 'everyone' }));
  return { ...standardWorld(), users, media };
}

const CONTENT = {
  blocks: [
    { type: 'header-one', text: 'Morning' },
    { type: 'atomic', text: ' ', entity_ranges: [{ offset: 0, length: 1, key: 0 }] },
  ],
  entities: [
    {
      key: 'k',
      value: {
        type: 'image',
        mutability: 'immutable',
        data: { media_items: [{ media_category: 'tweet_image', media_id: '82' }] },
      },
    },
  ],
};

async function articlesAndVotes(app: TestApp, send: Sent): Promise<Asked[]> {
  const [alice, bob] = [await app.as('alice'), await app.as('bob')];
  const cover_media = { media_category: 'tweet_image', media_id: '81' };
  const draft = await send('/2/articles/draft', alice, {
    title: 'Herons for @bob',
    content_state: CONTENT,
    cover_media,
  });
  const { post_id: id } = await send(`/2/articles/${draft.id}/publish`, alice);
  const entities = [
    { ...CONTENT.entities[0], value: { ...CONTENT.entities[0]?.value, data: { caption: 'x' } } },
  ];
  await send('/2/articles/draft', alice, { title: 'A draft', content_state: { ...CONTENT, entities } });
  const poll = { options: ['Heron', 'Duck'], duration_minutes: 60 };
  const asked = await send('/2/tweets', alice, { text: 'Which?', poll });
  await send(`/_pipit/polls/${asked.id}/votes`, bob, { option: 2 });
  await send(`/2/users/${USERS.bob}/likes`, bob, { tweet_id: id });
  const fields = 'tweet.fields=article,attachments,entities,lang,public_metrics';
  return [
    [`/2/tweets/${id}?${fields}&expansions=article.cover_media,article.media_entities`, bob],
    [
      `/2/tweets/${asked.id}?expansions=attachments.poll_ids&poll.fields=options,voting_status,end_datetime`,
      bob,
    ],
    [`/_pipit/posts/states?ids=${asked.id}`, bob],
  ];
}

async function messages(app: TestApp, send: Sent): Promise<Asked[]> {
  const [alice, bob, carol] = [await app.as('alice'), await app.as('bob'), await app.as('carol')];
  const mallory = await app.as('mallory');
  const group = await send('/2/dm_conversations', bob, {
    conversation_type: 'Group',
    participant_ids: [USERS.carol, USERS.mallory],
    message: { text: 'Welcome' },
  });
  const inGroup = `/2/dm_conversations/${group.dm_conversation_id}`;
  await send(`${inGroup}/messages`, mallory, { text: 'I shall leave' });
  const kept = await send(`${inGroup}/messages`, carol, {
    text: `Goodbye https://x.com/a/status/${POSTS.hello}`,
  });
  const pair = await send(`/2/dm_conversations/with/${USERS.carol}/messages`, bob, {
    text: 'Hidden from me',
  });
  await send(`/2/dm_conversations/with/${USERS.bob}/messages`, carol, { text: 'Hello @bob' });
  expect((await app.delete(`/2/dm_events/${pair.dm_event_id}`, bob)).status).toBe(200);
  await send(`/2/dm_conversations/with/${USERS.mallory}/messages`, bob, { text: 'To mallory' });
  await send(`/_pipit/conversations/${group.dm_conversation_id}/read`, bob, {
    up_to_event_id: kept.dm_event_id,
  });
  await deleteAccount(app.pipit.backend, await userIdOf(app, 'mallory'));
  const fields =
    'dm_event.fields=id,text,event_type,sender_id,participant_ids,created_at,referenced_tweets,entities';
  return [
    [`${inGroup}/dm_events?${fields}`, bob],
    [`${inGroup}/dm_events?${fields}`, carol],
    [`/2/dm_conversations/with/${USERS.carol}/dm_events?${fields}`, bob],
    [`/2/dm_conversations/${USERS.bob}-${USERS.mallory}/dm_events?${fields}`, bob],
    [`/2/dm_events?${fields}`, carol],
    ['/_pipit/conversations', bob],
    ['/_pipit/conversations', carol],
    ['/2/users/me', alice],
  ];
}

async function listsAndSearches(app: TestApp, send: Sent): Promise<Asked[]> {
  const [alice, bob] = [await app.as('alice'), await app.as('bob')];
  const made = [
    await send('/2/lists', alice, { name: 'One' }),
    await send('/2/lists', alice, { name: 'Two' }),
  ];
  for (const { id } of made.reverse()) {
    await send(`/2/lists/${id}/members`, alice, { user_id: USERS.bob });
    await send(`/2/users/${USERS.bob}/followed_lists`, bob, { list_id: id });
    await send(`/2/users/${USERS.bob}/pinned_lists`, bob, { list_id: id });
  }
  await send('/_pipit/saved_searches', bob, { query: '#birds' });
  return [
    [`/2/users/${USERS.bob}/list_memberships`, bob],
    [`/2/users/${USERS.bob}/followed_lists`, bob],
    [`/2/users/${USERS.bob}/pinned_lists`, bob],
    ['/_pipit/saved_searches', bob],
  ];
}

/** Accepts a request, reads notifications between two likes, and changes what accounts are. */
async function notificationsAndAccounts(app: TestApp, send: Sent): Promise<Asked[]> {
  const [alice, bob, dave] = [await app.as('alice'), await app.as('bob'), await app.as('dave')];
  await send(`/_pipit/follow_requests/${USERS.carol}/accept`, dave);
  const [newest] = (await app.get('/_pipit/notifications', alice)).body.data;
  await send('/_pipit/notifications/read', alice, { up_to_id: newest.id });
  await send(`/2/users/${USERS.bob}/likes`, bob, { tweet_id: POSTS.hello });
  const { backend } = app.pipit;
  await setOperator(backend, (await userIdOf(app, 'alice')).id, true);
  const bobUser = await userIdOf(app, 'bob');
  const privacy = { allowsPhotoTagging: false, receivesDms: 'everyone' } as const;
  for (const isProtected of [true, false])
    await changePrivacy(backend, bobUser, { ...privacy, protected: isProtected });
  await suspendAccount(backend, (await userIdOf(app, 'mallory')).id, true, { reason: 'Spam' });
  await app.oauth1('bob', 'read');
  await deactivateAccount(backend, (await userIdOf(app, 'carol')).id);
  return [
    ['/_pipit/notifications', alice],
    ['/_pipit/notifications/unread_count', alice],
    ['/_pipit/notifications', dave],
    [`/2/users/${USERS.alice}/followers`, bob],
  ];
}

test.each([
  ['articles and votes', articlesAndVotes],
  ['messages', messages],
  ['Lists and saved searches', listsAndSearches],
  ['notifications and accounts', notificationsAndAccounts],
])('an export is whole: %s', async (_name, act) => {
  await using app = await startWith(world());
  const asked = await act(app, sender(app));
  const { copy } = await startCopy(app, asked);
  await using _copy = copy;
});

test('accounts are in the state in which they were', async () => {
  const state = {
    suspended: true,
    suspension: { reason: 'Spam', suspended_at: '2024-01-02T00:00:00.000Z' },
    deactivated_at: '2024-01-01T00:00:00.000Z',
    operator_since: '2023-01-01T00:00:00.000Z',
    first_steps_dismissed_at: '2023-01-02T00:00:00.000Z',
    protected_periods: [{ started_at: '2023-02-01T00:00:00.000Z', ended_at: '2023-03-01T00:00:00.000Z' }],
  };
  await using app = await startWith({ users: [{ id: '1', username: 'erin', name: 'Erin', ...state }] });
  const { world: loaded, copy } = await startCopy(app, []);
  await using _copy = copy;
  expect(loaded.users).toMatchObject([state]);
  const { engine } = copy.pipit.backend;
  const erin = await userIdOf(copy, 'erin');
  expect(await standingOf(engine, erin)).toBe('suspended');
  expect(await suspendAccount(copy.pipit.backend, erin.id, false)).toBe('deactivated');
});
