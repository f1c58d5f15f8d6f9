import { expect, test } from 'vitest';
import type { LooseJson } from '../support/loose-json.js';
import { APP, POSTS, standardWorld } from '../support/world.js';
import { exported, requireSameWhenLoaded } from './support/exported-world.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

const created = async (
  { send }: TestSandbox,
  ...args: Parameters<TestSandbox['send']>
): Promise<LooseJson> => {
  const { status, body } = await send(...args);
  expect([args[1], status < 300, body]).toEqual([args[1], true, body]);
  return body?.data as LooseJson;
};

test('an export holds the folders of bookmarks with their posts in order', async () => {
  await using pipit = await startTestSandbox();
  const alice = await pipit.tokenOf('alice');
  const bookmarks = '/2/users/1001/bookmarks';
  const folder = await created(pipit, 'POST', `${bookmarks}/folders`, alice, { name: 'Herons' });
  await created(pipit, 'POST', `${bookmarks}/folders`, alice, { name: 'Empty' });
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three'])
    ids.push((await created(pipit, 'POST', '/2/tweets', alice, { text })).id as string);
  for (const tweet_id of [ids[2], ids[0]])
    await created(pipit, 'POST', bookmarks, alice, { tweet_id, folder_id: folder.id });
  const world = await requireSameWhenLoaded(pipit, [
    [bookmarks, alice],
    [`${bookmarks}/folders`, alice],
    [`${bookmarks}/folders/${folder.id}`, alice],
  ]);
  expect(world.bookmark_folders).toEqual([
    { id: folder.id, user: 'alice', name: 'Herons', posts: [ids[2], ids[0]] },
    { id: expect.any(String), user: 'alice', name: 'Empty' },
  ]);
});

test('an export holds blocks of direct messages', async () => {
  await using pipit = await startTestSandbox();
  const alice = await pipit.tokenOf('alice');
  await created(pipit, 'POST', '/2/users/1002/dm/block', alice);
  const world = await requireSameWhenLoaded(pipit, []);
  expect(world.dm_blocks).toEqual([{ from: 'alice', to: 'bob' }]);
  await pipit.control('PUT', '/world', world);
  const bob = await pipit.tokenOf('bob');
  const { status } = await pipit.send('POST', '/2/dm_conversations/with/1001/messages', bob, { text: 'hi' });
  expect(status).toBe(403);
});

test('an export holds the rules of filtered streams', async () => {
  await using pipit = await startTestSandbox();
  const rules = '/2/tweets/search/stream/rules';
  const add = [{ value: 'heron has:images', tag: 'birds' }, { value: 'from:alice -is:retweet' }];
  await created(pipit, 'POST', rules, APP.bearer_token, { add });
  const world = await requireSameWhenLoaded(pipit, [[rules, APP.bearer_token]]);
  expect(world.stream_rules).toMatchObject(add.map((rule) => ({ app: APP.id, ...rule })));
});

test('an export holds the community of a post and what its author says about it', async () => {
  await using pipit = await startTestSandbox();
  const communities = [{ id: '7001', name: 'Pond', members: ['alice'] }];
  await pipit.control('POST', '/world', { communities });
  const alice = await pipit.tokenOf('alice');
  const said = { made_with_ai: true, paid_partnership: true, nullcast: true };
  const inside = { community_id: '7001', share_with_followers: true };
  const post = await created(pipit, 'POST', '/2/tweets', alice, { text: 'In the pond', ...inside, ...said });
  const card = await created(pipit, 'POST', '/2/tweets', alice, { text: 'A card', card_uri: 'card://1' });
  const fields = 'tweet.fields=community_id,paid_partnership,card_uri,text';
  const world = await requireSameWhenLoaded(pipit, [
    [`/2/tweets/${post.id}?${fields}`, alice],
    [`/2/tweets/${card.id}?${fields}`, alice],
    ['/2/users/1001/timelines/reverse_chronological', alice],
  ]);
  expect(world.posts).toContainEqual(
    expect.objectContaining({ community: '7001', share_with_followers: true, ...said }),
  );
  expect(world.posts).toContainEqual(expect.objectContaining({ id: card.id, card_uri: 'card://1' }));
});

test('an export holds the versions of posts, articles, groups and what is read', async () => {
  const users = standardWorld()['users']?.map((user) => ({ ...(user as object), receives_dms: 'everyone' }));
  await using pipit = await startTestSandbox({ world: { ...standardWorld(), users } });
  const [alice, bob] = [await pipit.tokenOf('alice'), await pipit.tokenOf('bob')];
  const post = await created(pipit, 'POST', '/2/tweets', alice, { text: 'A heron' });
  const edit = { text: 'Two herons for @bob', edit_options: { previous_post_id: post.id } };
  const edited = await created(pipit, 'POST', '/2/tweets', alice, edit);
  await created(pipit, 'POST', '/2/users/1002/likes', bob, { tweet_id: edited.id });
  const content_state = { blocks: [{ type: 'unstyled', text: 'All about herons' }], entities: [] };
  const draft = await created(pipit, 'POST', '/2/articles/draft', alice, { title: 'Herons', content_state });
  const article = await created(pipit, 'POST', `/2/articles/${draft.id}/publish`, alice);
  const group = await created(pipit, 'POST', '/2/dm_conversations', alice, {
    conversation_type: 'Group',
    participant_ids: ['1002', '1003'],
    message: { text: 'Welcome' },
  });
  const { dm_conversation_id: id, dm_event_id: event } = group;
  await created(pipit, 'POST', `/_pipit/conversations/${id}/read`, bob, { up_to_event_id: event });
  const world = await requireSameWhenLoaded(pipit, [
    [`/2/tweets/${edited.id}?expansions=edit_history_tweet_ids&tweet.fields=entities,public_metrics`, bob],
    [`/2/tweets/${article.post_id}?tweet.fields=article,lang`, bob],
    [`/2/dm_conversations/${id}/dm_events?dm_event.fields=event_type,participant_ids,sender_id`, bob],
    ['/_pipit/conversations', bob],
    ['/_pipit/notifications', alice],
    ['/_pipit/notifications', bob],
  ]);
  expect(world.articles).toMatchObject([{ id: draft.id, author: 'alice', title: 'Herons' }]);
  expect(world.conversations).toMatchObject([
    {
      id,
      messages: [{ joined: 'bob' }, { joined: 'carol' }, { text: 'Welcome' }],
      read_up_to: [{ user: 'bob' }],
    },
  ]);
});

const SRT = Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nGood morning!\n').toString('base64');

test('an export holds the subtitles of videos, who else may use media, and until when', async () => {
  const file = `77/${'s'.repeat(32)}.srt`;
  const video = { media_key: '13_77', type: 'video', owner: 'alice', additional_owners: ['bob', 'carol'] };
  const subtitles = [
    { language_code: 'en', display_name: 'English', file },
    { language_code: 'pt-BR', file: file.replace('s.', 't.') },
  ];
  const files = subtitles.map(({ file: name }) => ({ name, data: SRT }));
  const unused = { media_key: '3_78', type: 'photo', owner: 'bob', expires_at: '2090-01-01T00:00:00.000Z' };
  const media = [{ ...video, files, subtitles }, unused];
  await using pipit = await startTestSandbox({ world: { ...standardWorld(), media } });
  expect((await requireSameWhenLoaded(pipit, [])).media).toEqual(
    [{ ...video, files, subtitles }, unused].map((entry) => expect.objectContaining(entry)),
  );
  const served = await fetch(`${pipit.url}/media/${file}`);
  expect([served.status, await served.text()]).toEqual([200, Buffer.from(SRT, 'base64').toString()]);
  const bob = await pipit.tokenOf('bob');
  await created(pipit, 'POST', '/2/tweets', bob, { text: 'A video of Alice', media: { media_ids: ['77'] } });
  const world = await requireSameWhenLoaded(pipit, [
    ['/2/users/1002/tweets?expansions=attachments.media_keys', bob],
  ]);
  expect(world.posts).toContainEqual(expect.objectContaining({ author: 'bob', media: ['13_77'] }));
});

test('an export holds the usage of apps and the day of their month', async () => {
  const apps = standardWorld()['apps']?.map((app) => ({
    ...(app as object),
    created_at: '2022-01-17T08:00:00.000Z',
  }));
  const usage = [{ app: APP.id, day: '2022-03-01', posts: 3, requests: 4 }];
  await using pipit = await startTestSandbox({
    world: { ...standardWorld(), apps, usage },
    flags: { sandboxSeed: '1' },
  });
  await created(pipit, 'GET', '/2/users/1003/tweets', APP.bearer_token);
  const shown = (await pipit.control('GET', '/usage')).body.data;
  const world = await exported(pipit);
  expect(world.usage).toEqual([
    ...usage,
    { app: APP.id, day: '2026-01-01', posts: 1, requests: 1, counted_posts: [POSTS.quote] },
  ]);
  await using other = await startTestSandbox({ world: null, flags: { sandboxSeed: '1' } });
  expect((await other.control('PUT', '/world', world)).status).toBe(200);
  expect((await other.control('GET', '/usage')).body.data).toEqual(shown);
  expect(await exported(other)).toEqual(world);
  for (const { send } of [pipit, other]) await send('GET', '/2/users/1003/tweets', APP.bearer_token);
  expect(await exported(other)).toEqual(await exported(pipit));
});

test('an app needs no more than an id and an owner; a seed repeats its credentials', async () => {
  const world = { users: [{ id: '1', username: 'erin', name: 'Erin' }], apps: [{ id: '2', owner: 'erin' }] };
  const issued = [];
  for (const sandboxSeed of ['7', '7', '8']) {
    await using pipit = await startTestSandbox({ world, flags: { sandboxSeed } });
    const { data } = (await pipit.control('POST', '/tokens', { kind: 'app' })).body;
    issued.push(data);
    expect((await pipit.send('GET', '/2/users/1', data.access_token)).status).toBe(200);
    const exportedApps = (await requireSameWhenLoaded(pipit, [])).apps;
    expect(exportedApps).toMatchObject([
      {
        id: '2',
        name: 'app 2',
        owner: 'erin',
        access_level: 'elevated',
        track: 'standard',
        permissions: 'read_write',
      },
    ]);
    const revoke = async (secret: unknown) => {
      const basic = Buffer.from(`${data.app.client_id}:${secret}`).toString('base64');
      const init = { method: 'POST', body: new URLSearchParams({ token: 'unknown' }) };
      return fetch(`${pipit.url}/2/oauth2/revoke`, { ...init, headers: { authorization: `Basic ${basic}` } });
    };
    expect(await (await revoke(data.client_secret)).text()).toContain('Value passed for the token');
    expect((await revoke('another')).status).toBe(401);
  }
  const [first, second, third] = issued;
  expect(second).toEqual(first);
  for (const key of ['access_token', 'api_key', 'api_secret', 'client_secret'])
    expect(third[key]).not.toBe(first[key]);
});
