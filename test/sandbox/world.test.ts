import { expect, test } from 'vitest';
import { APP, POSTS, standardWorld } from '../support/world.js';
import { requireInSchema } from '../support/world-schema.js';
import type { LooseJson } from '../support/loose-json.js';
import { exported } from './support/exported-world.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

const seeded = { flags: { sandboxSeed: '1' } };

/** Writes through the interface what a world file can hold. */
async function fill({ send, tokenOf, control }: TestSandbox): Promise<{ first: string; alice: string }> {
  const [alice, bob, carol] = [await tokenOf('alice'), await tokenOf('bob'), await tokenOf('carol')];
  const sent = async (...args: Parameters<typeof send>) => {
    const { status, body } = await send(...args);
    expect([args[1], status < 300, body]).toEqual([args[1], true, body]);
    return body?.data as LooseJson;
  };
  await control('POST', '/tokens', { username: 'alice', kind: 'oauth1' });
  const first = await sent('POST', '/2/tweets', alice, {
    text: 'Two herons & a <kingfisher> at https://example.com/pond',
  });
  const inReply = (id: string) => ({ reply: { in_reply_to_tweet_id: id } });
  const reply = await sent('POST', '/2/tweets', bob, { text: 'Where? cc @carol', ...inReply(first.id) });
  await sent('POST', '/2/tweets', carol, { text: 'Here', ...inReply(reply.id) });
  await sent('POST', '/2/tweets', bob, { text: 'Look at that', quote_tweet_id: first.id });
  await sent('POST', '/2/tweets', alice, { text: 'For followers', reply_settings: 'following' });
  const poll = { options: ['heron', 'stork'], duration_minutes: 60 };
  await sent('POST', '/2/tweets', alice, { text: 'Which one?', poll });
  await sent('PUT', `/2/tweets/${reply.id}/hidden`, alice, { hidden: true });
  await sent('POST', '/2/users/1002/likes', bob, { tweet_id: first.id });
  await sent('POST', '/2/users/1003/likes', carol, { tweet_id: first.id });
  await sent('POST', '/2/users/1003/retweets', carol, { tweet_id: first.id });
  await sent('POST', '/2/users/1001/bookmarks', alice, { tweet_id: reply.id });
  await sent('POST', '/2/users/1001/following', alice, { target_user_id: '1003' });
  await sent('POST', '/2/users/1001/following', alice, { target_user_id: '1002' });
  await sent('POST', '/2/users/1002/muting', bob, { target_user_id: '1003' });
  const list = await sent('POST', '/2/lists', alice, { name: 'Birds', description: 'of the pond' });
  await sent('POST', `/2/lists/${list.id}/members`, alice, { user_id: '1003' });
  await sent('POST', `/2/lists/${list.id}/members`, alice, { user_id: '1002' });
  await sent('POST', '/2/users/1002/followed_lists', bob, { list_id: list.id });
  await sent('POST', '/2/dm_conversations/with/1002/messages', alice, { text: 'Only for you' });
  const group = {
    conversation_type: 'Group',
    participant_ids: ['1002', '1003'],
    message: { text: 'To both' },
  };
  await sent('POST', '/2/dm_conversations', alice, group);
  return { first: first.id as string, alice };
}

/** What clients see of a network. */
async function seen(
  { send }: TestSandbox,
  { first, alice }: { first: string; alice: string },
): Promise<unknown[]> {
  const fields =
    'tweet.fields=created_at,public_metrics,conversation_id,entities,in_reply_to_user_id,lang,reply_settings,referenced_tweets,source' +
    '&expansions=author_id,attachments.poll_ids,referenced_tweets.id&user.fields=public_metrics,created_at&poll.fields=options,end_datetime';
  const paths = [
    `/2/tweets/${first}?${fields}`,
    `/2/users/1001/tweets?${fields}`,
    `/2/users/1002/tweets?${fields}`,
    `/2/users/1003/tweets?${fields}`,
    `/2/users/1001/timelines/reverse_chronological?${fields}`,
    `/2/tweets/${first}/liking_users`,
    `/2/users/1001/following`,
    `/2/users/1001/bookmarks`,
    `/2/users/1001/owned_lists?list.fields=member_count,follower_count,description`,
    `/2/dm_events?event_types=MessageCreate&dm_event.fields=created_at,sender_id,text,dm_conversation_id`,
    `/2/tweets/search/recent?query=conversation_id:${first}&${fields}`,
    '/2/users/me',
  ];
  const answers: unknown[] = [];
  for (const path of paths) {
    const { status, body } = await send('GET', path, alice);
    expect([path, status]).toEqual([path, 200]);
    answers.push([
      path,
      JSON.parse(JSON.stringify(body).replaceAll(/"(?:next|previous)_token":"[^"]*"/g, '"token":""')),
    ]);
  }
  return answers;
}

test('an exported world loads into the same state: the same answers, tokens that still work, and the same export', async () => {
  await using pipit = await startTestSandbox(seeded);
  const known = await fill(pipit);
  const before = await seen(pipit, known);
  const world = await exported(pipit);
  requireInSchema(world);
  await using other = await startTestSandbox({ ...seeded, world: null });
  const replaced = await other.control('PUT', '/world', world);
  expect([replaced.status, replaced.body.errors]).toEqual([200, undefined]);
  const again = await exported(other);
  for (const section of Object.keys(world))
    expect([section, again[section]]).toEqual([section, world[section]]);
  const urls = (text: string) =>
    text.replaceAll(pipit.url.slice(7), 'HOST').replaceAll(other.url.slice(7), 'HOST');
  const after = await seen(other, known);
  expect(JSON.parse(urls(JSON.stringify(after)))).toEqual(JSON.parse(urls(JSON.stringify(before))));
});

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('an export has the files of media, and they are served where it is loaded', async () => {
  await using pipit = await startTestSandbox(seeded);
  const alice = await pipit.tokenOf('alice');
  const media = await pipit.send('POST', '/2/media/upload', alice, {
    media: PNG,
    media_category: 'tweet_image',
  });
  const shown = { text: 'A picture of the pond', media: { media_ids: [media.body.data.id] } };
  const { id } = (await pipit.send('POST', '/2/tweets', alice, shown)).body.data;
  const pictureOf = async ({ send }: TestSandbox): Promise<[string, Buffer]> => {
    const path = `/2/tweets/${id}?expansions=attachments.media_keys&media.fields=url`;
    const { data, includes } = (await send('GET', path, 'testbearer')).body;
    const picture = await fetch(includes.media[0].url as string);
    expect(picture.status).toBe(200);
    return [data.text.replace(/http\S+/, 'URL') as string, Buffer.from(await picture.arrayBuffer())];
  };
  const world = await exported(pipit);
  requireInSchema(world);
  expect(world.media[0]).toMatchObject({ url: expect.stringMatching(/^\/media\//), files: [{}] });
  await using other = await startTestSandbox({ ...seeded, world: null });
  expect((await other.control('PUT', '/world', world)).status).toBe(200);
  expect(await exported(other)).toEqual(world);
  expect(await pictureOf(other)).toEqual(await pictureOf(pipit));
  const [{ media_key: key }] = world.media as [{ media_key: string }];
  const files = [
    { name: '../../etc/passwd', data: '' },
    { name: '12/other.png', data: '' },
    { name: `${key.slice(2)}/x.png`, data: 'no base64!' },
    { name: `${key.slice(2)}/../x.png`, data: '' },
    { name: `${key.slice(2)}/x.png` },
  ];
  for (const file of files) {
    const document = { media: [{ media_key: key, type: 'photo', files: [file] }] };
    expect([file, (await other.control('POST', '/world', document)).status]).toEqual([file, 400]);
  }
});

test('the demo world is the same after an export', async () => {
  await using pipit = await startTestSandbox({ flags: { ...seeded.flags, load: ['demo'] }, world: null });
  const world = await exported(pipit);
  const replaced = await pipit.control('PUT', '/world', world);
  expect([replaced.status, replaced.body.errors]).toEqual([200, undefined]);
  const again = await exported(pipit);
  for (const section of Object.keys(world))
    expect([section, again[section]]).toEqual([section, world[section]]);
});

test('a world that replaces the network is what a reset returns to; one that is added is forgotten', async () => {
  await using pipit = await startTestSandbox();
  const statusOf = async (id: string) =>
    (await pipit.send('GET', `/2/users/${id}`, APP.bearer_token)).body.data?.username as unknown;
  const added = await pipit.control('POST', '/world', {
    users: [{ id: '7001', username: 'erin', name: 'Erin' }],
  });
  expect(added.body.data.added).toMatchObject({ users: 1, posts: 0 });
  expect(await statusOf('7001')).toBe('erin');
  await pipit.control('POST', '/reset');
  expect(await statusOf('7001')).toBe(undefined);
  const users = [{ id: '7002', username: 'frank', name: 'Frank' }];
  const apps = [{ ...APP, name: 'test app', owner: 'frank', permissions: 'read', redirect_uris: [] }];
  expect((await pipit.control('PUT', '/world', { users, apps })).status).toBe(200);
  expect([await statusOf('7002'), await statusOf('1001')]).toEqual(['frank', undefined]);
  await pipit.control('POST', '/world', { users: [{ id: '7001', username: 'erin', name: 'Erin' }] });
  await pipit.control('POST', '/reset');
  expect([await statusOf('7002'), await statusOf('7001')]).toEqual(['frank', undefined]);
});

test('a world with faults is refused with all of them, and the network stays as it is', async () => {
  await using pipit = await startTestSandbox();
  const bad = {
    users: [{ id: 'x', username: 'erin' }],
    posts: [{ id: '1', author: 'nobody', text: '' }],
    birds: [],
  };
  for (const method of ['POST', 'PUT']) {
    const { status, body } = await pipit.control(method, '/world', bad);
    expect(status).toBe(400);
    const paths = (body.errors as { message: string }[]).map(({ message }) => message.split(':', 1)[0]);
    expect(paths).toEqual(expect.arrayContaining(['$.birds', '$.users[0].id', '$.users[0].name']));
  }
  for (const body of [[], 'text', null, 7])
    expect((await pipit.control('PUT', '/world', body)).status).toBe(400);
  const broken = await fetch(`${pipit.url}/_pipit/sandbox/world`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"users":[',
  });
  expect(broken.status).toBe(400);
  expect((await pipit.send('GET', `/2/tweets/${POSTS.hello}`, APP.bearer_token)).status).toBe(200);
  expect((await exported(pipit)).users).toHaveLength(standardWorld()['users']?.length ?? 0);
});
